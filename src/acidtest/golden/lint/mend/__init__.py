"""What `--fix` mends: only what needs no judgement, and nothing that anybody typed is lost."""
