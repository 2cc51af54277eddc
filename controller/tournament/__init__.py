"""A tournament: entries, draws, results, standings, ratings. Pure: it knows no clock, no file but its formats, no chance
but the seed that it is given.

`log` is what happened, `tournament` what follows from it, `changes` what may be done next; `sheets` puts it into words.
"""
