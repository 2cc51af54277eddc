"""The referee: what is seen, rolled, pressed and said goes in; verdicts, messages and lights come out.

The room is pure: time comes in with the events. `begin` makes a `Table` from its `Settings`, `step` answers each
`Event` with the next table and its `Action` values (``table``). Three things are kept apart: what the pictures show
(``seeing``), what the rules allow (`controller.rules`) and what is therefore concluded (``belief``).
`Caution` holds what an operator may set.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
