"""What people believe and want, by Bayesian inverse planning. No ROS outside ``node.py``."""
