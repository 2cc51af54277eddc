"""The way in for another table, at which the other side of the match plays."""
