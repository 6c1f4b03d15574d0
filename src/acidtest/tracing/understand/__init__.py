"""From the spans of a trace to question, contexts and answer."""
