"""The side that plays at another table: two tables, two boards, two cameras, one match.

Each table has a referee of its own, and each of them sees one side play: the one that sits there. That table tells
the other one what this side did, as its referee has concluded it and its journal has it: the die of the opening, the
roll, the play once it is judged, the cube, a resignation, an illegal play and that it was put right. The other table
shows the play like an engine's, and its camera sees that the checkers come to lie as announced. So nobody is told a
play by anybody but the referee who saw it, and every play lies on both boards before the next roll.

- What a table tells is a *fact*: plain data, numbered from 1, written into its journal with the event it came of.
  The other one takes facts in their order, each once and when its own board is ready for it; the number stands in its
  journal, too. After a cut each says how far it has heard, and gets the rest. Nothing is lost, nothing counts twice.
- What takes back or ends play is decided at the table where the side sits that is to act, for nothing is on its way
  there then. The other table asks it. A resignation, which either side may offer at any time, is void at both tables
  where it crosses a play.
- Each table keeps the clock of its own side, from when the other's play lies on its board until its own is judged,
  and tells it with each fact. So neither the network nor the moving of the other's checkers costs anybody time.
  While the line is cut both clocks stand.
- The listening table decides. A roll says from which position it was made; where that is not the one of the listening
  table, both boards are set up as the listening table has it, and what the other one told before is void.
"""
