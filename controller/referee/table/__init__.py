"""The live referee of one table: what happens there goes in, what is to be done about it comes out.

``machine.step`` is pure, as everything in this room: the state holds all that the referee knows, and time comes in
with the events. A turn is judged when it ends, by the same evidence as in a film (``controller.referee``); around
it stand set-up, opening roll, cube, resignation, correction, dispute, pause, and the end of a game and a match.
"""
