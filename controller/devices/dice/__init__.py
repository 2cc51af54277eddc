"""Dice: wherever a roll comes from, it comes as one kind of value."""
