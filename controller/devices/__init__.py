"""The edges: everything that can be unplugged, and the files that stand in for it.

`LiveCamera` gives pictures of a camera, a stream or a film and says how it stands (``camera``); `Link` talks to the
board's microcontroller (``link``). `Lights` shows a `LightFrame` (``lights``), `DiceSource` tells rolls, of which
`RollGate` lets through those that count (``dice``), `PinButtons` tells presses (``buttons``), `ProgramVoice` speaks
(``voice``). `open_film`, `load_rolls` and `load_picture` read what was recorded. States are codes: their words are
in the catalogues.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
