"""One rule text as values: read from profile files, obeyed by every other part of the rules."""
