"""The judge `nli:MODEL`: a cross-encoder for natural language inference, on this machine's processor."""
