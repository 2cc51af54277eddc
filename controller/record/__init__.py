"""The journal and the files made from it."""
