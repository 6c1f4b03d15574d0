"""Finding texts again in a corpus that was edited, renamed or cut anew."""
