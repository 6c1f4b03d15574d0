"""The server: takes traces, shows what became of them."""
