"""Looks at dice in whole pictures: when one is asked for, whether it shows the same, and what it tells."""
