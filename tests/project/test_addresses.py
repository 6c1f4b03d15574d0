"""Addresses of endpoints that are none: told with where they were given."""

import pytest

from acidtest.errors import BadConfig
from acidtest.project.config import Config, EmbedderConfig, JudgeConfig
from acidtest.project.embedding import embedding_of
from acidtest.project.judging import judge_named
from acidtest.project.tiers import resolve


def test_an_address_that_is_none_is_told_with_where_it_was_given(monkeypatch):
    with pytest.raises(BadConfig, match=r"^\[judge\] base_url: 'nowhere' is no HTTP address"):
        judge_named(JudgeConfig(model="m", base_url="nowhere"))
    embedder = Config(embedder=EmbedderConfig(model="m", base_url="http://a..b/v1"))
    metrics = resolve(["semantic_similarity"], embedder)
    with pytest.raises(BadConfig, match=r"^\[embedder\] base_url: 'http://a..b/v1' is no HTTP"):
        embedding_of(metrics, embedder, None)
    monkeypatch.setenv("OPENAI_BASE_URL", "nowhere")
    with pytest.raises(BadConfig, match=r"^OPENAI_BASE_URL: 'nowhere' is no HTTP address"):
        judge_named(JudgeConfig(), "openai:m")
