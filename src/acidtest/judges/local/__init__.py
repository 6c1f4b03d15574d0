"""The embedded judge: wording compared with wording, no key, no download, and no guessing."""
