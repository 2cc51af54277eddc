"""The referee: what is seen, rolled, pressed and said goes in; verdicts, messages and lights come out.

The room is pure: time comes in with the events. Three things are kept apart: what the pictures show (``seeing``),
what the rules allow (``controller.rules``) and what is therefore concluded (``weighing``, ``table``).
"""
