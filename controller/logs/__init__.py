"""The program's log: where it goes, what a defect is, and that nobody's name or PIN stands in it."""
