"""The JSON interface for programs, under `/api/`; one file each, found as pages are (see `server/pages`)."""
