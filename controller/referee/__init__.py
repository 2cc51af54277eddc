"""Events in, actions out: a pure state machine that brings together what was seen, rolled and is legal."""
