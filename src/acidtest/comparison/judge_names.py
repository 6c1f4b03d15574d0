"""How a comparison calls the judges of its runs."""

from acidtest.data.runs import JudgeRef


def called(judge: JudgeRef) -> str:
    """Name a judge, and the models behind the name where the provider reports others."""
    return f"{judge.model} ({' and '.join(judge.reported)})" if judge.reported else judge.model
