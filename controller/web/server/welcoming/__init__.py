"""The first start: a phone that brings the table's code chooses the director's PIN, and nobody else comes in."""
