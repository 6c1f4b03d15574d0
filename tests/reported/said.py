"""Replies of a model, as it would write them."""

import json

from tests.judges.stub import says


def beside_models(*script):
    """What is asked of the model, worked off one reply a request, beside a list of models."""
    left = list(script)

    def answer(asked):
        if asked.method == "GET":
            return says({"data": []})
        said = left.pop(0) if len(left) > 1 else left[0]
        return said(asked) if callable(said) else said

    return answer


def claims(*sentences):
    """A reply on an answer's sentences: for each the verdicts of its claims."""
    return json.dumps(
        {
            "sentences": [
                {"sentence": n, "claims": [claim(verdict) for verdict in verdicts]}
                for n, verdicts in enumerate(sentences, start=1)
            ]
        }
    )


def claim(verdict):
    return {"claim": "it is so", "passage": None, "quote": "", "why": "read it", "verdict": verdict}


def passages(*verdicts, number="passage_id"):
    """A reply on numbered passages."""
    said = [{number: n, "why": "read it", "verdict": v} for n, v in enumerate(verdicts, start=1)]
    return json.dumps({"passages": said})


def relevance(verdict, why="to the point"):
    return json.dumps({"why": why, "verdict": verdict})


def completion(text, finish="stop", tokens=20, **more):
    """A model's reply."""
    return says(
        {
            "model": "stub-1",
            "choices": [
                {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": tokens},
        },
        **more,
    )
