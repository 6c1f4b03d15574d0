"""Objects of LangChain, LlamaIndex and Haystack, given as they are; none of them is imported for it."""
