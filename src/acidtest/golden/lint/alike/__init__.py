"""Questions that ask the same: exactly, or nearly, found among very many without comparing each with each."""
