"""Benchmark readers and scorers, the scenario suite, bag replay, reports, and the ``heed`` command line."""
