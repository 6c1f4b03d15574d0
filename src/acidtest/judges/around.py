"""What judges around a judge have in common: they go by the model and fingerprint of the one inside."""

from acidtest.ports import Judge


class Around:
    """A judge around a judge; subclasses add `ask`.

    Args:
        judge: The one inside.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def model(self) -> str:
        """The model of the judge inside."""
        return self._judge.model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge inside."""
        return self._judge.fingerprint

    @property
    def inside(self) -> Judge:
        """Who is asked."""
        return self._judge
