"""No wall-clock assertions anywhere: hypothesis' deadlines are one, and would fail on a busy machine.

The examples are the same in every run, so that a red run is about the change and not about the draw; ``HYPOTHESIS_PROFILE=explore`` draws anew.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("heed", settings.get_profile("explore"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "heed"))
