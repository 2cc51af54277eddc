"""What is legal on a backgammon board. Pure Python: no clock, no chance, no I/O, nothing else of the project.

The modules, from the ground up:

- `movement`: the settings of movement that rule texts differ in (`MovementRules`, `STANDARD`);
- `position`, `roll`: the values a turn starts from and ends in;
- `packed`, `generator`, `legality`: the standard game on packed numbers, where speed is made;
- `board`, `search`: the same game one step at a time, for every setting of `MovementRules`;
- `plays`: all complete legal plays, as players would write them;
- `deduction`, `judge`, `reasons`, `explain`: why a result is not legal, as codes and as sentences;
- `notation`, `ids`, `jsonlines`: the written forms.

Points are numbered 1..24 from light's side everywhere except in a `Move`, which is written by its player and
therefore counts from the mover's side (25 is the bar, 0 is off).
"""
