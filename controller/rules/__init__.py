"""What is legal on a backgammon board. Pure Python: no clock, no chance, no I/O, nothing else of the project.

The modules, from the ground up:

- `movement`: the settings of movement that rule texts differ in (`MovementRules`, `STANDARD`);
- `position`, `roll`: the values a turn starts from and ends in;
- `packed`, `masks`, `generator`, `doubles`, `home`, `legality`: the standard game on numbers, where speed is made;
- `law`, `search`: the rules of a single step, and the game under any settings, one step at a time;
- `plays`: all complete legal plays, as players would write them;
- `deduction`, `arrangement`, `charges`, `judge`: what can have been done, in which order, what is wrong with
  it, and which explanation is the best;
- `reasons`: the verdict's codes;
- `notation`, `ids`, `xgid`, `jsonlines`: the written forms.

Points are numbered 1..24 from light's side everywhere except in a `Move`, which is written by its player and
therefore counts from the mover's side (25 is the bar, 0 is off). The packed modules and those of the judge
work on the board as the mover sees it (`packed.view`).
"""
