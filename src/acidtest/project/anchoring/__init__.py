"""An anchor: fixed cases with recorded verdicts, judged again and again to see whether the judge changed."""
