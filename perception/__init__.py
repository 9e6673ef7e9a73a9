"""Frames in, tracked scene graph and human actions out. No ROS outside ``node.py``."""
