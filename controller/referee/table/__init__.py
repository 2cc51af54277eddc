"""The referee of one table: a state and an event in, the next state and the actions out.

``machine.step`` is pure: the state holds all that the referee knows, and time comes in with the events. Around the
turn stand set-up, opening roll, cube, resignation, correction, dispute, pause, and the end of a game and of a match.
"""
