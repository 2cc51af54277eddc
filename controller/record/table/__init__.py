"""The input and output of a live table, written as they happen, so that it goes on where its program ended."""
