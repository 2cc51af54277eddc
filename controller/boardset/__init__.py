"""The public set of real boards: what somebody gives, whether it is in order, and how well a program reads it."""
