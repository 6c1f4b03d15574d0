"""Reading and writing other tools' formats, one file a format."""
