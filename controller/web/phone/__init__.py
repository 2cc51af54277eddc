"""A phone as the table's camera: which phone may send, and how its pictures come in."""
