"""A game and a match: immutable values that events advance, with cube, score and resignations."""
