"""A virtual table that ships with the product, of which every detail is known.

`random_setting` draws a board, its light and its camera (``boards``), a `Painter` makes pictures of it
(``painting``); hands play on it (``tabletop``) for players who also cheat (``players``), with the real firmware in
its simulator or a program that stands in for it (``electronics``).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
