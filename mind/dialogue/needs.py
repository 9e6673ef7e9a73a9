"""What a person who states a need would use: "my mouth is so dry" → something to drink.

A small table of household common sense. The weight of a class is how likely a person with this need takes it, given that it is
there (weights of one need sum to one); classes that are not in the home drop out and the rest is normalised again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class Need(str, Enum):
    THIRST = "thirst"
    HUNGER = "hunger"
    COFFEE = "coffee"
    READING = "reading"
    SIGHT = "sight"
    WRITING = "writing"
    LIGHT = "light"
    TELEVISION = "television"
    MEDICINE = "medicine"
    DRYING = "drying"
    TEETH = "teeth"
    CALLING = "calling"
    REST = "rest"
    LEAVING = "leaving"
    CUTTING = "cutting"
    WINE = "wine"


@dataclass(frozen=True)
class NeedRow:
    """``pattern``: matched anywhere in the normalised words of a statement (contractions expanded, lower case)."""

    need: Need
    pattern: re.Pattern[str]
    classes: tuple[tuple[str, float], ...]


def _row(need: Need, pattern: str, **weights: float) -> NeedRow:
    return NeedRow(need, re.compile(rf"\b(?:{pattern})\b"), tuple(weights.items()))


NEEDS: tuple[NeedRow, ...] = (
    _row(Need.WINE, r"(?:glass|drop|sip) of wine|(?:drink|have|like) (?:some )?wine", wine=0.6, wineglass=0.4),
    _row(Need.COFFEE, r"(?:cup of|drink|some|need a|like a|have a) (?:coffee|tea)|caffeine", mug=0.6, coffeepot=0.4),
    _row(Need.THIRST, r"thirsty|thirst|parched|dehydrated|(?:mouth|throat|lips?) (?:is|are|feels?) (?:\w+ ){0,2}(?:dry|parched)"
         r"|dry (?:mouth|throat)|(?:drink|have|like|need|want|use|sip) (?:some |a glass of |a sip of )?(?:cold )?water"
         r"|something (?:cold )?to drink|(?:need|want|like|have|use) a (?:cold )?drink|to drink something",
         waterglass=0.5, juice=0.25, milk=0.1, beer=0.1, mug=0.05),
    _row(Need.HUNGER, r"hungry|starving|famished|peckish|something to eat|(?:need|want|like|have|use|grab) a (?:bite|snack|meal)"
         r"|stomach (?:is )?(?:rumbl|growl|empty)\w*|to eat something|could eat",
         apple=0.25, cupcake=0.15, bread=0.15, banana=0.15, chips=0.1, pudding=0.1, salmon=0.1),
    _row(Need.SIGHT, r"can ?not (?:read|see) (?:this|the (?:small )?(?:letters|print|text|words))|letters are (?:so |too )?(?:small|blurr?y)"
         r"|everything is (?:so )?blurr?y", glasses=1.0),
    _row(Need.READING, r"something to read|(?:like|want|love|going) to read|(?:do some|a bit of|mood for) reading|to read something",
         book=0.6, magazine=0.2, newspaper=0.2),
    _row(Need.WRITING, r"something to write (?:with|on)|write (?:a note|this down|it down|something down|a letter)", pen=0.6, notebook=0.4),
    _row(Need.LIGHT, r"(?:so|too|very|rather|quite|pretty|really) dark(?: in here| here)?|dark in here|can ?not see a thing|more light",
         lamp=0.6, flashlight=0.2, candle=0.2),
    _row(Need.TELEVISION, r"watch (?:some |a bit of )?(?:tv|television|telly|a movie|a film|the news|the game)|change the channel"
         r"|something (?:good )?on tv", remotecontrol=1.0),
    _row(Need.MEDICINE, r"headache|head (?:hurts|aches|is pounding)|my (?:pills?|tablets?)|take (?:my|a) (?:medication|pills?)"
         r"|feel(?:ing)? (?:sick|ill|unwell)", medicine=0.8, waterglass=0.2),
    _row(Need.DRYING, r"(?:soaking|dripping|all|so) wet|dry (?:my|his|her) (?:hands|hair|face)|dry myself|spilled (?:\w+ )*water", towel=1.0),
    _row(Need.TEETH, r"brush (?:my|his|her|their) teeth", toothbrush=1.0),
    _row(Need.CALLING, r"(?:make|give) (?:\w+ )?a (?:phone )?call|call (?:my|the) \w+|text (?:my|the) \w+", cellphone=1.0),
    _row(Need.REST, r"(?:my|his|her) (?:neck|back) (?:hurts|aches)|something soft|take a nap", pillow=1.0),
    _row(Need.LEAVING, r"(?:need|have|time|about|going) to (?:drive|lock the door)|locked out", keys=1.0),
    _row(Need.CUTTING, r"something to cut|(?:chop|slice) (?:some |the )?(?:vegetables|bread|carrots?)", knife=0.6, cuttingboard=0.4),
)


def read_need(words: str) -> NeedRow | None:
    """The first need the words state, or None. ``words``: normalised (lower case, contractions expanded)."""
    return next((row for row in NEEDS if row.pattern.search(words)), None)
