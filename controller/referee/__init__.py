"""The referee: what was seen and what was rolled go in, what happened comes out.

The room is pure. ``machine.step`` takes a state and an event and returns the next state and the actions; time
comes in with the events. Three things are kept apart: what was seen (``evidence``, ``rests``), what the rules
allow (``controller.rules``) and what is therefore concluded (``tracks``, ``ledger``).
"""
