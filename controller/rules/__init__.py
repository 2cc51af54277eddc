"""What is legal on a backgammon board. Pure Python: no clock, no chance, no I/O, nothing else of the project.

`Position`, `Roll` and `Play` are the values. `legal_plays` and `results` tell what a roll may become (``moves``);
`judge` whether a result is legal, and if not, which rules were broken (``judging``); `new_match` and `advance` follow
games, cube and score event by event (``game``); `load_profile` reads one rule text (``profile``); `xgid` and
`from_xgid` are the short forms that other programs read (``forms``, with GNU Backgammon's ids in `gnuid`).

Points are numbered 1..24 from light's side everywhere except in a `Move`, which is written by its player and
therefore counts from the mover's side (25 is the bar, 0 is off).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
