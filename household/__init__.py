"""The vocabulary every other package speaks: classes, places, relations, the scene graph, actions, goals, probabilities.

Invariant: this package knows no ROS (except ``household.ros``, the message conversions), no pixels and no inference.
Everything here is an immutable value with a lossless ``to_dict``/``from_dict``.
"""
