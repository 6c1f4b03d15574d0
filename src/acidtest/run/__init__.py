"""Planning, executing and assembling a run."""
