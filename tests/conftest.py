"""What holds for every test: no time limits, because neighbours on a shared machine are no defect."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
