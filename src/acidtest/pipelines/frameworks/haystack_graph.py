"""A Haystack pipeline, or one component, as sockets: what goes in where, what comes out of whom."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Socket:
    """An input that nothing inside is connected to.

    `component` is empty where the object is one component.
    """

    component: str
    name: str
    type: Any
    needed: bool

    @property
    def address(self) -> str:
        """What it is called in messages and in `inputs`."""
        return f"{self.component}.{self.name}" if self.component else self.name


@dataclass(frozen=True)
class Graph:
    """Inputs that are open, outputs by component, and which component feeds which."""

    inputs: tuple[Socket, ...]
    outputs: Mapping[str, Mapping[str, Any]]
    edges: frozenset[tuple[str, str]]

    def giving(self, output: str) -> list[str]:
        """Return the components with an output of a name, in the pipeline's order."""
        return [name for name, sockets in self.outputs.items() if output in sockets]

    def last(self, among: Iterable[str]) -> list[str]:
        """Return those of some components that feed no other of them, directly or through others."""
        names = list(among)
        after = {name: self._reached(name) for name in names}
        # In a loop each comes after the other, and neither is before.
        return [a for a in names if not any(b in after[a] and a not in after[b] for b in names)]

    def before(self, component: str, among: Iterable[str]) -> list[str]:
        """Return those of some components that feed one, without a third of them in between."""
        return self.last(a for a in among if a != component and component in self._reached(a))

    def _reached(self, start: str) -> set[str]:
        found: set[str] = set()
        left = [start]
        while left:
            here = left.pop()
            new = {to for of, to in self.edges if of == here} - found
            found |= new
            left += new
        return found


def graph_of(thing: Any, *, pipeline: bool) -> Graph:
    """Return the sockets of a pipeline or component."""
    if not pipeline:
        given = thing.__haystack_input__._sockets_dict  # noqa: SLF001 - it has no other door
        gives = thing.__haystack_output__._sockets_dict  # noqa: SLF001
        return Graph(
            tuple(Socket("", name, one.type, one.is_mandatory) for name, one in given.items()),
            {"": {name: one.type for name, one in gives.items()}},
            frozenset(),
        )
    inputs = tuple(
        Socket(component, name, about.get("type"), bool(about.get("is_mandatory")))
        for component, sockets in thing.inputs().items()
        for name, about in sockets.items()
    )
    outputs = {
        component: {name: about.get("type") for name, about in sockets.items()}
        for component, sockets in thing.outputs(
            include_components_with_connected_outputs=True
        ).items()
    }
    return Graph(inputs, outputs, frozenset((of, to) for of, to, *_ in thing.graph.edges))
