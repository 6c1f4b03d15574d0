"""Documents as people write them, one reader a form: Markdown, plain text, HTML, PDF."""
