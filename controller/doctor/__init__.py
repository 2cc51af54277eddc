"""The self-test: every device and condition, what was measured, and what to do about it. Nothing is changed."""
