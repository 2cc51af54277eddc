"""What holds for every test: no time limits, because neighbours on a shared machine are no defect; a browser."""

from hypothesis import settings

from tests.browser import browser

__all__ = ["browser"]

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
