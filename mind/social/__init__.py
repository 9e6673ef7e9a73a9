"""What people want for each other: help, hinder or neither, read from what they say and do.

One generative model serves the live mind and every other reader: a speaker chooses what to say from (own belief, aim, what they think
the listener wants), an actor chooses what to do from (aim, what they think the other wants). Nothing here knows of questions or options.
"""

from mind.social.aims import Aim, SocialConfig
from mind.social.step import SocialState, social_step, trust_in

__all__ = ["Aim", "SocialConfig", "SocialState", "social_step", "trust_in"]
