"""Texts for people, one catalogue for each language, made from the codes of the lower rooms."""
