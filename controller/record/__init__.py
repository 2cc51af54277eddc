"""The record of a table: a journal that is only ever appended to, and everything that is made from it.

`Journal` keeps events (``journal``); a `MatchRecord` is what was played (``match``), written for other programs and
for people (``files``) and shown with `TurnPicture` values (``evidence``); `MatchFolder` sets a live table down as it
is played (``table``); ``filter`` holds the lines of `pointsman referee`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
