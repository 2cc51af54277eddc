"""The referee of one table: a state and an event in, the next state and the actions out.

``machine.step`` is pure: the state holds all that the referee knows, and time comes in with the events. Around the
turn stand set-up, opening roll, cube, resignation, correction, dispute, pause, and the end of a game and of a match.

What is learnt later changes turns that are over in one way: whoever learns it (later pictures, the next turn, a
word) has a beam of how the game may have gone, and ``smoothing.revise`` tells those turns anew of which another
course has become likelier. Turns that are taken back do not count any more: ``undo.void_turns`` says so of them
all, whether both players, the director, a ruling or the other table took them back. Where an illegal play in the
last turn is to be put right, ``closing.unwind`` goes back into that turn.
"""
