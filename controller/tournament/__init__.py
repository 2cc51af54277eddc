"""A tournament: entries, draws, results, standings, ratings. Pure: it knows no clock, no file but its formats, no
chance but the seed that it is given.

`events` are what happened, `tournament` is what follows from them, `changes` what may be done next; `sheets` puts it
into words.
"""
