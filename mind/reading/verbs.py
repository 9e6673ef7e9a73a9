"""Verbs by what they do, with their forms, and verbs of several words ("pulls it open", "makes her way").

Only verbs whose meaning changes a symbol are listed; elsewhere an unknown verb reads as well as a known one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mind.reading.terms import Act, Entry, Form, Tag

# --- verbs: base forms by meaning; irregular past and participle given as base/past/participle
_VERBS: Mapping[Act, str] = {
    Act.MOVE: "walk walktowards walktoward stride proceed head move go/went/gone advance approach near navigate return march stroll wander step run/ran/run rush "
              "hurry dash jog travel journey transition visit reach enter arrive cross come/came/come pace saunter amble progress venture "
              "trot hasten continue retrace relocate cruise trek traipse tiptoe shuffle roam stop revisit pad drift hike migrate retreat "
              "backtrack make/made/made find/found/found set/set/set start begin/began/begun carry direct turn swing/swung/swung "
              "steer wheel pop nip draw/drew/drawn",
    Act.OPEN: "open unlatch unseal reopen",
    Act.CLOSE: "close shut/shut/shut seal reclose slam latch",
    Act.PICK: "grab pick fetch retrieve seize snatch collect lift grasp obtain remove withdraw/withdrew/withdrawn take/took/taken get/got/got",
    Act.PUT: "put/put/put place deposit drop lay/laid/laid bring/brought/brought",
    Act.LEAVE: "leave/left/left exit depart abandon quit",
    Act.PASS: "pass bypass ignore skip",
    Act.LOOK: "look/looked/looked peer glance inspect check examine search rummage survey scan peek",
    Act.HANDLE: "interact",
}
_WEAK_MOVES = {"make", "find", "set", "start", "begin", "carry", "direct", "turn", "swing", "steer", "wheel", "stop", "draw",
               "continue", "pop", "nip"}



def _forms(spec: str) -> Iterator[tuple[str, Form]]:
    base, *irregular = spec.split("/")
    yield base, Form.FINITE
    if base.endswith(("s", "x", "ch", "sh", "ss")) or base in ("go", "do"):
        yield base + "es", Form.FINITE
    elif base.endswith("y") and base[-2] not in "aeiou":
        yield base[:-1] + "ies", Form.FINITE
    else:
        yield base + "s", Form.FINITE
    doubles = base in ("shut", "grab", "step", "put", "run", "slam", "stop", "drop", "set", "begin", "get", "jog", "trot", "skip", "pop",
                       "pad", "scan", "nip", "snap")
    stem = base[:-1] if base.endswith("e") and not base.endswith(("ee", "oe")) else base + (base[-1] if doubles else "")
    yield stem + "ing", Form.GERUND
    if irregular:
        yield irregular[0], Form.FINITE
        yield irregular[-1], Form.PARTICIPLE
    else:
        yield (base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeiou" else stem + "ed"), Form.PARTICIPLE


def verbs() -> Iterator[tuple[str, Entry]]:
    for act, specs in _VERBS.items():
        for spec in specs.split():
            for word, form in _forms(spec):
                yield word, Entry(Tag.VERB, act, plural=spec.split("/")[0] in _WEAK_MOVES, form=form)
    families = {  # phrases whose first word is inflected
        Act.CLOSE: ("secure/- it shut", "secure/- it closed", "secure/- it", "push/- it shut", "push/- it closed", "swing/swung it shut",
                    "swing/swung it closed", "pull/- it shut", "pull/- it closed", "press/- it shut", "slide/slid it shut", "secure/-",
                    "push/- shut", "pull/- shut", "swing/swung shut"),
        Act.OPEN: ("pull/- it open", "swing/swung it open", "slide/slid it open", "push/- it open", "pull/- open", "swing/swung open",
                   "slide/slid open", "push/- open", "look/- inside", "look/- into", "peer/- into", "peer/- inside", "peek/- into",
                   "peek/- inside", "throw/threw open"),
        Act.PICK: ("pick/- up", "pick/- it up", "take/took out", "take/took hold of", "get/got hold of", "lift/- out", "pull/- out",
                   "help/- himself to", "help/- herself to"),
        Act.PUT: ("put/put down", "set/set down", "lay/laid down", "put/put back", "place/- back"),
        Act.MOVE: ("make/made his way", "make/made her way", "make/made their way", "make/made its way", "make/made a beeline", "come/came up",
                   "head/- over", "go/went over", "walk/- over", "walk/- up", "go/went up", "set/set off", "set/set out", "find/found his way",
                   "find/found her way", "find/found their way", "retrace/- his steps", "retrace/- her steps", "retrace/- their steps",
                   "continue/- his journey", "continue/- her journey", "continue/- their journey", "come/came back", "double/- back",
                   "turn/- back", "take/took a few steps", "cross/- over", "turn/- his attention", "turn/- her attention",
                   "turn/- their attention", "shift/- his attention", "shift/- her attention", "shift/- their attention"),
        Act.PASS: ("walk/- past", "go/went past", "walk/- by", "pass/- by", "move/- past", "head/- past", "walk/- through", "go/went through",
                   "pass/- through"),
        Act.LOOK: ("look/- around", "look/- about", "look/- round", "take/took a look", "take/took a quick look", "have/had a look"),
        Act.ON: ("turn/- on", "switch/- on"), Act.OFF: ("turn/- off", "switch/- off"),
    }
    for whose in ("his", "her", "their", "the"):
        for begin in ("is", "is now", "is currently", "are", "are now", "was"):
            yield f"{begin} on {whose} way", Entry(Tag.VERB, Act.MOVE, form=Form.FINITE)
    for act, phrases in families.items():
        for phrase in phrases:
            first, rest = phrase.split(" ", 1) if " " in phrase else (phrase, "")
            base, past = first.split("/")
            for word, form in _forms(base if past == "-" else f"{base}/{past}/{past}"):
                yield f"{word} {rest}".strip(), Entry(Tag.VERB, act, form=form)
            if past != "-" and base in ("take", "go", "come"):
                yield f"{ {'take': 'taken', 'go': 'gone', 'come': 'come'}[base]} {rest}", Entry(Tag.VERB, act, form=Form.PARTICIPLE)
