"""What holds for every test: no time limits, because neighbours on a shared machine are no defect; a browser."""

from hypothesis import HealthCheck, settings

from tests.browser import browser

__all__ = ["browser"]

settings.register_profile("unhurried", deadline=None)
# For a processor that is emulated (`make test-arm`): `--hypothesis-profile=few`.
settings.register_profile("few", deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
