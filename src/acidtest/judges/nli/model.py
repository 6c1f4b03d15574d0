"""Model: a cross-encoder in ONNX, run on the processor; pairs of texts to probabilities.

Deterministic: pairs are batched by length, in an order that depends on the pairs alone, on a fixed
number of threads.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from acidtest.errors import BadConfig, JudgeError
from acidtest.extras import need
from acidtest.judges.nli.files import Files, config, longest
from acidtest.judges.nli.labels import labels
from acidtest.judges.nli.rules import Odds
from acidtest.judges.nli.tokens import Tokens

_BATCH = 32
_BATCH_TOKENS = 4_096
"""Pairs and tokens, padding included, that are run at once: some hundred MB for a large model."""
_THREADS = 4
_KNOWN = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_DIGITS = 6  # sums differ in the seventh by who else is in the batch

Pair = tuple[str, str]


class Model:
    """A model, loaded and tried.

    Args:
        files: Where it is.

    Attributes:
        tokens: Its tokenizer.

    Raises:
        BadConfig: A file is damaged, or the graph is none for inference over pairs.
        MissingExtra: What runs it is not installed.
    """

    def __init__(self, files: Files) -> None:
        said = config(files)
        self._labels = labels(said, str(files.config))
        self.tokens = Tokens(files.tokenizer, longest(files, said))
        self._where = str(files.weights)
        self._session = _session(self._where)
        self._inputs: Mapping[str, str] = {i.name: i.type for i in self._session.get_inputs()}
        self._check_inputs()
        names = [output.name for output in self._session.get_outputs()]
        self._output = "logits" if "logits" in names else names[0]
        pad = said.get("pad_token_id")
        self._pad = pad if isinstance(pad, int) and pad >= 0 else self.tokens.padding or 0
        self._try()

    def odds(
        self, pairs: Sequence[Pair], stopped: Callable[[], bool] = lambda: False
    ) -> list[Odds]:
        """Return what the model says of each pair of premise and claim, in order.

        Args:
            pairs: Both sides of each within `tokens.room`.
            stopped: Asked before every batch; when it says so, the rest is left.

        Raises:
            JudgeError: The model failed, gave a number that is not finite, or was stopped.
        """
        encoded = [self.tokens.pair(premise, claim) for premise, claim in pairs]
        said: dict[int, Odds] = {}
        for batch in self._batches([len(ids) for ids, _ in encoded]):
            if stopped():
                raise JudgeError("stopped", where="judge nli")
            said |= zip(batch, self._run([encoded[i] for i in batch]), strict=True)
        return [said[i] for i in range(len(pairs))]

    def _batches(self, sizes: Sequence[int]) -> Iterator[list[int]]:
        """Yield the places of pairs that are run together: of about the same length, longest first."""
        batch: list[int] = []
        for place in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
            longest_of_all = sizes[batch[0]] if batch else 0
            full = len(batch) >= _BATCH or longest_of_all * (len(batch) + 1) > _BATCH_TOKENS
            # Without a mask the model would read the padding.
            apart = "attention_mask" not in self._inputs and sizes[place] != longest_of_all
            if batch and (full or apart):
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch

    def _run(self, encoded: Sequence[tuple[list[int], list[int]]]) -> list[Odds]:
        import numpy as np

        logits = self._logits(encoded)
        if not np.isfinite(logits).all():
            raise JudgeError(
                "the model gave a number that is not finite", where=f"judge nli: {self._where}"
            )
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = np.round(raised / raised.sum(axis=1, keepdims=True), _DIGITS)
        against = self._labels.contradiction
        return [
            Odds(
                float(row[self._labels.entailment]),
                None if against is None else float(row[against]),
            )
            for row in shares
        ]

    def _logits(self, encoded: Sequence[tuple[list[int], list[int]]]) -> Any:
        """Return one row of outputs a pair."""
        import numpy as np

        shape = (len(encoded), max(len(ids) for ids, _ in encoded))
        whole = {
            "input_ids": np.full(shape, self._pad),
            "attention_mask": np.zeros(shape),
            "token_type_ids": np.zeros(shape),
        }
        for row, (ids, sides) in enumerate(encoded):
            whole["input_ids"][row, : len(ids)] = ids
            whole["attention_mask"][row, : len(ids)] = 1
            whole["token_type_ids"][row, : len(ids)] = sides
        feed = {name: whole[name].astype(_TYPES[kind]) for name, kind in self._inputs.items()}
        try:
            logits = np.asarray(self._session.run([self._output], feed)[0], dtype=np.float64)
        except Exception as error:  # the runtime raises a class of its own for each status
            raise JudgeError(
                f"the model failed: {str(error)[:300]}", where=f"judge nli: {self._where}"
            ) from error
        if logits.shape != (len(encoded), self._labels.count):
            raise JudgeError(
                f"the model gives {logits.shape} for {len(encoded)} pairs and "
                f"{self._labels.count} labels",
                where=f"judge nli: {self._where}",
            )
        return logits

    def _check_inputs(self) -> None:
        odd = sorted(set(self._inputs) - _KNOWN)
        if odd or "input_ids" not in self._inputs:
            raise BadConfig(
                f"the model wants {', '.join(self._inputs)}; known are {', '.join(sorted(_KNOWN))}",
                where=f"judge nli: {self._where}",
                fix="Export it for text classification.",
            )
        for name, kind in self._inputs.items():
            if kind not in _TYPES:
                raise BadConfig(
                    f"input {name} is a {kind}",
                    where=f"judge nli: {self._where}",
                    fix="Name a model that takes pairs of texts as numbers of tokens.",
                )

    def _try(self) -> None:
        """Run one pair, so that a graph that does not fit is told before anything is judged."""
        try:
            self._logits([self.tokens.pair("One plus one is two.", "One plus one is two.")])
        except JudgeError as error:
            raise BadConfig(
                error.what,
                where=error.where,
                fix="Export it again for text classification, with the labels of its config.json.",
            ) from error


def _session(path: str) -> Any:
    runtime = need("onnxruntime", extra="nli")
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what goes wrong is raised
    try:
        return runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # as above
        raise BadConfig(
            f"cannot be read: {str(error)[:300]}",
            where=f"judge nli: {path}",
            fix="Export it again.",
        ) from error
