"""The closed words that records are written with."""

from typing import Literal

Mode = Literal["live", "golden-context", "retrieval-only"]


Stage = Literal["retrieval", "generation", "end_to_end", "operations"]


Direction = Literal["higher", "lower"]


Cost = Literal["free", "embedding", "judge"]
