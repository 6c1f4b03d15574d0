"""Files as the other tools write them: each reads as what it is, or is refused with the row and the reason."""

import pytest

from acidtest.data.outcomes import Failure, Score
from acidtest.errors import DataError
from acidtest.project.convert import amounts, convert, read_format

READ = {
    # sample: format, cases, answers, runs, scores
    "azure_evaltools/eval_results.jsonl": ("azure-evals", 10, 10, 1, 40),
    "azure_evaltools/ground_truth.jsonl": ("azure-evals", 10, 0, 0, 0),
    "continuous_eval/correctness_sm.jsonl": ("continuous-eval", 10, 10, 1, 10),
    "continuous_eval/retrieval_sm.jsonl": ("continuous-eval", 10, 10, 0, 0),
    "deepeval/convo_goldens.json": ("deepeval", 15, 15, 0, 0),
    "deepeval/goldens.csv": ("deepeval", 15, 15, 0, 0),
    "deepeval/goldens.json": ("deepeval", 15, 15, 0, 0),
    "langsmith/webqa_correct.json": ("langsmith", 100, 100, 1, 100),
    "langsmith/webqa_incorrect.json": ("langsmith", 100, 100, 1, 100),
    "open_rag_eval/csv_results.csv": ("open-rag-eval", 6, 7, 0, 0),
    "promptfoo/anthropic_end_to_end_dataset.csv": ("promptfoo", 100, 0, 0, 0),
    "promptfoo/anthropic_retrieval_dataset.csv": ("promptfoo", 100, 0, 0, 0),
    "promptfoo/anthropic_retrieval_results_v2.json": ("promptfoo-results", 12, 31, 3, 217),
    "promptfoo/rag_eval_promptfooconfig.yaml": ("promptfoo", 2, 0, 0, 0),
    "ragas/annotated_data.json": ("ragas-annotations", 19, 19, 1, 38),
    "beir/cloud_qrels_dev.tsv": ("beir", 188, 0, 0, 0),
    "beir/cloud_rewrite.jsonl": ("beir", 188, 0, 0, 0),
}
RANKINGS = {
    # sample: format, answers
    "ranx/run.json": ("ranx", 2),
    "ranx/run.parquet": ("ranx", 2),
    "ranx/run.trec": ("trec-run", 2),
}
REFUSED = {
    "azure_evaltools/config.json": "an object without rows of cases: a summary, or a configuration",
    "azure_evaltools/summary.json": "an object without rows of cases: a summary, or a configuration",
    "promptfoo/anthropic_promptfooconfig_end_to_end.yaml": "tests: the tests are in another file: "
    "'promptfoo_datasets/end_to_end_dataset.csv'",
    "promptfoo/anthropic_promptfooconfig_retrieval.yaml": "tests: the tests are in another file: "
    "'promptfoo_datasets/retrieval_dataset.csv'",
    "ranx/qrels.json": "no question: beside them there is no file of queries",
    "ranx/qrels.parquet": "no question: beside them there is no file of queries",
    "ranx/qrels.trec": "no question: beside them there is no file of queries",
    "ragas/hf_doc_qa_eval.csv": "hf_doc_qa_eval.csv:102: a cell is filled under a column without a name",
}


@pytest.fixture(scope="module")
def samples(shared):
    return shared / "data" / "peer_formats"


def test_every_sample_has_its_outcome(samples):
    found = {
        path.relative_to(samples).as_posix()
        for path in samples.rglob("*")
        if path.is_file() and path.name != "README.md"
    }
    assert found == READ.keys() | RANKINGS.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", READ)
def test_a_sample_reads(name, samples, tmp_path):
    form, cases, answers, runs, scores = READ[name]
    found = amounts(read_format(samples / name))
    assert (found.cases, found.answers, found.runs, found.scores) == (cases, answers, runs, scores)
    done = convert(samples / name, tmp_path / "golden.jsonl")
    assert (done.source_format, done.read.cases, done.written.cases) == (form, cases, cases)


@pytest.mark.parametrize("name", RANKINGS)
def test_rankings_read_and_come_back(name, samples, tmp_path):
    form, answers = RANKINGS[name]
    found = read_format(samples / name)
    assert len(found.answers) == answers
    first = found.answers[0]
    assert first.retrieved is not None
    assert [(chunk.id, chunk.score) for chunk in first.retrieved] == [
        ("d3", 0.3),
        ("d2", 0.2),
        ("d1", 0.1),
    ]
    done = convert(samples / name, tmp_path / "again.run", to="trec-run")
    assert (done.source_format, done.losses) == (form, ())
    assert read_format(tmp_path / "again.run").answers == found.answers


def test_labels_of_beir_come_from_the_qrels_beside(samples, tmp_path):
    done = convert(samples / "beir", tmp_path / "golden.jsonl", from_="beir")
    assert (done.read.cases, done.losses) == (188, ())
    golden = read_format(samples / "beir").golden
    assert golden is not None
    assert all(case.relevant for case in golden)
    assert golden[0].relevant == {"ibmcld_00474-7885-8455": 1, "ibmcld_00513-7-2197": 1}


@pytest.mark.parametrize("name", ["qrels.json", "qrels.parquet", "qrels.trec"])
def test_judgements_read_with_queries_beside_them(name, samples, tmp_path):
    (tmp_path / name).write_bytes((samples / "ranx" / name).read_bytes())
    (tmp_path / "queries.tsv").write_text("q1\tWhat is one?\nq2\tWhat is two?\n", encoding="utf-8")
    golden = read_format(tmp_path / name).golden
    assert golden is not None
    assert [(case.question, case.relevant) for case in golden] == [
        ("What is one?", {"d1": 1, "d2": 2, "d3": 3}),
        ("What is two?", {"d1": 1, "d2": 2}),
    ]


@pytest.mark.parametrize("name", REFUSED)
def test_a_sample_is_refused_with_the_reason(name, samples):
    with pytest.raises(DataError) as caught:
        read_format(samples / name)
    assert REFUSED[name] in str(caught.value)
    assert caught.value.fix


def test_labels_of_ids_come_through(samples):
    found = read_format(samples / "promptfoo/anthropic_retrieval_dataset.csv")
    assert found.golden is not None
    assert all(case.relevant for case in found.golden)
    assert [(loss.field, loss.count) for loss in found.losses] == [("assert python", 100)]


def test_results_of_promptfoo_are_a_run_a_provider(samples):
    found = read_format(samples / "promptfoo/anthropic_retrieval_results_v2.json")
    runs = {run.name.rpartition(":")[2]: run for run in found.runs}
    assert set(runs) == {"retrieve_base", "retrieve_level_two", "retrieve_level_three"}
    first = runs["retrieve_level_two"].cases[0]
    assert first.scores["promptfoo_mrr"] == Score(1.0, "MRR is 1.0")
    assert first.retrieved is not None
    assert str(first.retrieved[0].id).endswith("#creating-test-cases")
    broken = runs["retrieve_base"].cases[-1]
    assert broken.failure is not None
    assert "pickle data was truncated" in broken.failure.why
    assert {type(outcome) for outcome in broken.scores.values()} == {Failure}
    assert runs["retrieve_base"].metrics["promptfoo_score"].failed == 1


def test_verdicts_of_people_are_scores(samples):
    right = read_format(samples / "langsmith/webqa_correct.json").runs[0]
    wrong = read_format(samples / "langsmith/webqa_incorrect.json").runs[0]
    name = "langsmith_output_correctness_score"
    assert (right.metrics[name].mean, wrong.metrics[name].mean) == (1.0, 0.0)
    helpful = read_format(samples / "ragas/annotated_data.json").runs[0]
    assert helpful.metrics["ragas_helpfulness"].scored == 19


def test_a_row_a_passage_becomes_a_ranking(samples):
    found = read_format(samples / "open_rag_eval/csv_results.csv", system="csv_results, run 1")
    first = found.answers[0]
    assert first.retrieved is not None
    assert [chunk.id for chunk in first.retrieved] == ["1", "2", "3"]
    assert first.text is not None
    assert first.text.startswith("Black holes are dense [1]")
