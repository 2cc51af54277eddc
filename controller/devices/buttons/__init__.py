"""Buttons: roll, done, double, take, drop, pause and the clock's plungers."""
