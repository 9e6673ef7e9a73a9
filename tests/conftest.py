"""No wall-clock assertions anywhere: hypothesis' deadlines are one, and would fail on a busy machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("heed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("heed")
