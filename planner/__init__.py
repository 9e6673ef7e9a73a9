"""From minds to the one act that helps: values, six-layer decisions, plans, execution, speech. No ROS outside ``node.py``."""
