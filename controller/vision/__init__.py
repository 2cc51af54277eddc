"""Pixels to readings. Knows the geometry of the board, not the rules of the game.

`read_board` makes a `Reading` of a picture of a calibrated `Board`, whose measures are a `BoardGeometry` seen by a
`CameraModel`; `learn_appearance` learns colours and the bare board from pictures of a known position.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
