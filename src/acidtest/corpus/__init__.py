"""Reading the corpus: chunk files, folders of documents, callables."""
