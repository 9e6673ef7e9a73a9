"""The sentence forms: which words around the slots make a question, a statement, a request, a need, a refusal.

Each form matches a whole clause template (see :mod:`mind.dialogue.words`) and names its parts: ``o`` the object phrase, ``p`` the
place phrase, ``s`` who does it, ``to`` for whom. The first form that fits, in the order of the table, is the reading, so that
questions and denials are tried before the statements they resemble.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from household.actions import Verb
from household.speech import ActKind

_DET = r"(?:the|a|an|my|your|some|his|her|their|our|this|that|any)"
_FREE = rf"{_DET}(?: (?!(?:is|are|was|were|in|on|at|to|from|not|no|of|for|inside|into|onto|near|with|@\d+)\b)[a-z0-9']+){{1,4}}"
_PRONOUN = r"(?:the other one|another one|that one|this one|one of them|it|them|they|that|this|those|these|one|both)"
_THING = rf"(?:@\d+|{_PRONOUN}|{_FREE})"
_OBJECTS = rf"{_THING}(?:(?:,| and|, and) {_THING})*"
_PREP = (r"(?:(?:right |back |over |still |somewhere |out |up |down |just |either )*(?:on top of|inside of|in front of|next to|in between"
         r"|inside|into|onto"
         r"|in|on|at|to|under|underneath|beside|near|behind|by|with|within|around|close to|beneath|from|where|off))")
_PLACE = (rf"(?:{_PREP} {_THING}(?: (?:is|are))?|(?:{_PREP} )?(?:over |right |back |up |down |in |on |out )*(?:there|here)"
          rf"|(?:in|on) (?:my|your|his|her|their) (?:hands?|pocket|bag))")
_WHO = r"(?:@\d+|i|we|you|he|she|they|someone|somebody|anyone|anybody|one of (?:us|you|them)|everyone)"
_POLITE = (r"(?:(?:please|can you|could you|would you|will you|would you mind|i (?:want|need|would like) you to|you should|you can|go and|go"
           r"|just|kindly"
           r"|be so kind (?:as )?to|come and|help me|i would appreciate it if you could|do you think you could|maybe you could|let us|quickly) )*")


@dataclass(frozen=True)
class Form:
    """``factor``: how sure a statement of this form is meant (a hedge lowers it). ``verb``: what a request asks to be done."""

    kind: ActKind
    pattern: re.Pattern[str]
    factor: float = 1.0
    verb: Verb | None = None


def _form(kind: ActKind, pattern: str, factor: float = 1.0, verb: Verb | None = None) -> Form:
    for name, piece in (("OBJ", _OBJECTS), ("PLACE2", _PLACE), ("PLACE", _PLACE), ("POLITE", _POLITE), ("WHO", _WHO)):
        pattern = pattern.replace(f"<{name}>", {"OBJ": rf"(?P<o>{piece})", "PLACE": rf"(?P<p>{piece})"}.get(name, piece))
    return Form(kind, re.compile(pattern), factor, verb)


K = ActKind
_BE = r"(?:is|are|was|were|has been|have been)"
_SAW = (r"(?:(?:have |has |had |just |last |also |must have |might have |may have |did |actually |recently |already |happened to |happen to |only )*"
        r"(?:found|find|saw|see|seen|noticed|notice|spotted|discovered|put|left|placed|moved|stored|kept|keep|dropped|brought|set|returned"
        r"|hid|hidden|forgot|located|came across|came upon|stumbled (?:up)?on|come across|laid|stuck|tucked|threw|tossed|remember seeing"
        r"|remember putting|remember leaving))")
_TO_ME = r"(?:to|for) (?P<to>me|us|him|her|them|@\d+)"

_QUESTIONS = (
    _form(K.ASK_LOCATION, rf"(?:(?!@\d+ (?:is|are|was|were) )(?:.* )?)where (?:on earth |exactly |else )*{_BE} <OBJ>(?: (?:hiding|kept|gone|stored"
                          rf"|put|located|at|supposed to be))*"),
    _form(K.ASK_LOCATION, rf"(?:(?!@\d+ (?:is|are|was|were) )(?:.* )?)where (?:on earth |exactly )*<OBJ> (?:{_BE}|went|goes|might be|could be|may be"
                          rf"|got to|has gone|can be"
                          r"|ended up|would be|should be|has got to)(?: (?:kept|put|stored|located|hiding|gone))?"),
    _form(K.ASK_LOCATION, r"(?:(?!@\d+ (?:is|are|was|were) )(?:.* )?)where (?:might|could|can|would|should|may|do|did|does|has|have|will"
                          r"|shall)(?: <WHO>)?"
                          r"(?: (?:find|put|leave|left|see|saw|keep|kept|get|have|last|seen|hide|hidden|store|place|placed|think))* <OBJ>"
                          r"(?: (?:be|go|went|gone|end up|get to|is|are|hiding))*"),
    _form(K.ASK_LOCATION, r"(?:(?!@\d+ (?:is|are|was|were) )(?:.* )?)where <WHO> (?:could|can|might|would|should|may|will)(?: possibly"
                          r"| probably)? (?:find|get|see|look for|have put|have left) <OBJ>"),
    _form(K.ASK_LOCATION, r"(?:(?:have|has|had|did|do) )?(?:(?:<WHO>|any of you) )?(?:happen(?:ed)? to )?(?:ever )?(?:seen|see|noticed|spotted"
                          r"|come across|run into)"
                          r" <OBJ>(?: (?:lying|anywhere|around|somewhere))*"),
    _form(K.ASK_LOCATION, r"(?:do you know |any idea )?(?:what|whatever) happened to <OBJ>|(?:any sign of|any idea about) (?P<o2>@\d+)"),
    _form(K.ASK_LOCATION, rf"(?:do you know if |do you know whether |did you see if |i wonder if )?{_BE} (?:there )?(?:still |really "
                          rf"|maybe )?<OBJ> (?:still )?<PLACE>"),
    _form(K.ASK_LOCATION, r"(?:do you know if |do you know whether |i wonder if )<OBJ> (?:is|are) (?:still )?<PLACE>"),
    _form(K.ASK_LOCATION, rf"did <WHO> (?:find|see|put|leave|notice) <OBJ> <PLACE>"),
)
_DENIALS = (
    _form(K.DENY_LOCATION, rf"<OBJ> (?:{_BE}|can|could) (?:definitely |certainly |really )?(?:not|no longer|never)(?: (?:be|actually|really"
                           rf"|any ?more))* <PLACE>(?: any ?more| any longer)?"),
    _form(K.DENY_LOCATION, rf"there {_BE} (?:not (?:a|an|any) |no (?:more |longer )?|not )<OBJ>(?: left)? <PLACE>(?: any ?more)?"),
    _form(K.DENY_LOCATION, rf"there {_BE} (?:no|not any|not) <OBJ>(?: left)? <PLACE>"),
    _form(K.DENY_LOCATION, r"<WHO> (?:did|do|could|can|will|would|have|has) not (?:see|find|seen|found|put|leave|left"
                           r"|notice)(?: any)? <OBJ> <PLACE>", 0.9),
    _form(K.DENY_LOCATION, r"(?:no|not) <OBJ> <PLACE>"),
    _form(K.DENY_LOCATION, r"<OBJ> (?:is|are) gone (?P<p>from @\d+|from there)"),
    _form(K.DENY_LOCATION, r"not <PLACE>"),
)
_MOVED = (
    _form(K.INFORM_MOVED, r"(?P<s><WHO>) (?:has |have |had |just |must have |might have |may have )*(?:moved|took|taken|relocated|removed|shifted"
                          r"|swiped|grabbed|picked up)"
                          r"(?: away)? <OBJ>(?: away| somewhere(?: else)?| elsewhere| (?:from|out of) (?:@\d+|there))*"),
    _form(K.INFORM_MOVED, r"<OBJ> (?:was|were|has been|have been|got|must have been|might have been) (?:moved|taken|relocated|removed|shifted)"
                          r"(?: away| somewhere(?: else)?| elsewhere| by (?P<s><WHO>)| from (?:@\d+|there))*"),
    _form(K.INFORM_MOVED, r"<OBJ> (?:is|are|has|have) (?:gone|missing|disappeared|vanished|somewhere else|not where (?:it|they) (?:was|were"
                          r"|used to be|should be)"
                          r"|no longer (?:there|where (?:it|they) (?:was|were))|not there(?: any ?more)?)"),
)
_STATEMENTS = (
    _form(K.INFORM_LOCATION, rf"<OBJ> (?:might|may|could|can)(?: still| also| well)* be <PLACE>", 0.6),
    _form(K.INFORM_LOCATION, rf"<OBJ> (?:should|must|ought to|has to|have to)(?: still| also)* be <PLACE>", 0.8),
    _form(K.INFORM_LOCATION, rf"<OBJ> (?:was|were)(?: still| last| last seen| originally| lying| sitting| standing)* <PLACE>", 0.6),
    _form(K.INFORM_LOCATION, rf"<OBJ> (?:is|are|has been|have been|lies|lie|sits|sit|stands|belongs|ended up|went)"
                             r"(?: still| now| actually| really| right| just| lying| sitting| standing| hiding| kept| stored| inside| put| placed"
                             r"| located| over| probably| all)*"
                             r" <PLACE>"),
    _form(K.INFORM_LOCATION, rf"there {_BE} (?:still |also |always )?<OBJ> <PLACE>"),
    _form(K.INFORM_LOCATION, r"there (?:should|must) be <OBJ> <PLACE>", 0.8),
    _form(K.INFORM_LOCATION, r"there (?:might|may|could) be <OBJ> <PLACE>", 0.6),
    _form(K.INFORM_LOCATION, rf"(?P<s><WHO>) {_SAW} <OBJ> (?:lying |sitting |standing |away )?(?:from (?:@\d+|there) )?<PLACE>"),
    _form(K.INFORM_LOCATION, rf"(?P<s><WHO>) (?:has |have |had |just |really |also |must have |might have )*(?:took|taken|carried|moved|brought)(?: away)?"
                             rf" <OBJ> (?:away )?(?:from (?:@\d+|there) )?(?P<p>(?:over |back |up |down )*(?:into|onto|to|inside) {_THING})"),
    _form(K.INFORM_LOCATION, r"<OBJ> (?:was|were|has been|have been|got) (?:taken|carried|moved|brought) (?:away )?(?:from (?:@\d+|there) )?"
                             rf"(?P<p>(?:over |back |up |down )*(?:into|onto|to|inside) {_THING})(?: by <WHO>)?"),
    _form(K.INFORM_LOCATION, r"(?:you|we|he|she|they|@\d+) (?:could|might|may) (?:find|see|get) <OBJ> <PLACE>", 0.6),
    _form(K.INFORM_LOCATION, r"<PLACE>,? (?:there )?(?:is|are) <OBJ>"),
    _form(K.INFORM_LOCATION, r"(?P<p>@\d+) (?:has|contains|holds) <OBJ>(?: (?:in|on|inside) it)?"),
    _form(K.INFORM_LOCATION, r"(?P<holder><WHO>) (?:has|have|got|have got|has got|is holding|am holding|are holding|is carrying|am carrying) <OBJ>"
                             r"(?: with (?:me|him|her|them)| right here| here)?"),
    _form(K.INFORM_LOCATION, r"(?:you (?:could|should|can|might) )?(?:maybe )?(?:try|check|look|have a look|take a look)(?: looking)? (?P<p>@\d+"
                             r"|<PLACE2>|there)(?: for <OBJ>)?", 0.8),
    _form(K.INFORM_LOCATION, r"(?:perhaps |probably |maybe |definitely |somewhere )?(?P<p><PLACE2>)"),
)


def _request(words: str, verb: Verb) -> tuple[Form, ...]:
    return (_form(K.REQUEST, rf"<POLITE>(?:{words}) (?P<to>me|us|him|her|them) <OBJ>(?: (?:from )?<PLACE>)?", verb=verb),
            _form(K.REQUEST, rf"<POLITE>(?:{words}) <OBJ> (?:over )?{_TO_ME}", verb=verb),
            _form(K.REQUEST, rf"<POLITE>(?:{words}) (?P<to>@\d+) <OBJ>", verb=verb),
            _form(K.REQUEST, rf"<POLITE>(?:{words}) <OBJ>(?: <PLACE>)?(?: (?:here|back|over|over here))?", verb=verb))


def _device(verb: Verb, *words: str) -> tuple[Form, ...]:
    both = "|".join(words)
    particle = words[0].split()[-1]
    return (_form(K.REQUEST, rf"<POLITE>(?:{both}) <OBJ>(?: <PLACE>)?", verb=verb),
            *((_form(K.REQUEST, rf"<POLITE>(?:turn|switch|shut) <OBJ> {particle}", verb=verb),) if " " in words[0] else ()))


_REFUSALS = (
    _form(K.REFUSE, r"(?:no,? )?(?:thanks|thank you)?,? ?(?:never ?mind|stop(?: it| that| please| talking)?|forget (?:it|about it|that)"
                    r"|do not bother|no need"
                    r"|leave it|leave me alone|cancel(?: that| it)?|not now|no thanks?|no thank you|no,? it is (?:fine|okay|ok)|it is (?:fine|okay"
                    r"|ok|all right)"
                    r"|i am (?:fine|good|okay|ok|all right)|go away|be quiet|shut up|quit it|i changed my mind|that will not be necessary"
                    r"|i (?:have )?(?:got|found) (?:it|them)(?: already)?|found it|i can do it myself|i will (?:do|get) it myself|let me do it)"
                    r"(?:,? (?:thanks|thank you|i (?:have )?(?:got|found) it))?"),
    _form(K.REFUSE, r"<WHO> (?:do|does|did) not (?:need|want|require) (?:<OBJ>|anything|help|any help|you to .*)(?: any ?more| any longer)?"),
    _form(K.REFUSE, r"(?:please )?do not (?:bring|get|fetch|give|take|touch|move|open|close|turn|hand|help|put|worry)(?: .*)?"),
)
_REQUESTS = (
    *_request(r"bring(?: over)?|get|fetch|go get|grab|find|look for|search for", Verb.PICK),
    *_request(r"give|hand(?: over)?|pass", Verb.GIVE),
    _form(K.REQUEST, r"(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|borrow|use) <OBJ>", verb=Verb.GIVE),
    _form(K.REQUEST, r"<POLITE>(?:move|push|get|put|take|clear) <OBJ> (?:away|out of (?:the|my) way|aside|to the side)", verb=Verb.MOVE),
    _form(K.REQUEST, r"<POLITE>(?:put|place|set|leave|return|carry|take|move|put back|lay) <OBJ> (?:back |away )?<PLACE>", verb=Verb.PLACE),
    _form(K.REQUEST, r"<POLITE>(?:put (?:away|back)|return) <OBJ>|<POLITE>put (?P<o2>@\d+|it|them) (?:away|back)", verb=Verb.PUTBACK),
    _form(K.REQUEST, r"<POLITE>(?:move|push) <OBJ>(?: (?:from|to) .*)?", verb=Verb.MOVE),
    *_device(Verb.SWITCHOFF, "turn off", "switch off", "shut off"),
    *_device(Verb.SWITCHON, "turn on", "switch on"),
    *_device(Verb.OPEN, "open", "open up"), *_device(Verb.CLOSE, "close", "shut"),
)
_YOU_WILL_FIND = _form(K.INFORM_LOCATION, r"(?:you|we|he|she|they|@\d+) (?:will|can|should) (?:find|see|get|grab) <OBJ> <PLACE>")
_NOT_KNOWN = _form(K.STATE_GOAL, r"(?P<s>i|we|he|she|@\d+) (?:do|does|have|has|did) not (?:know|remember|seen|recall)(?: where)? <OBJ>(?: (?:is|are"
                                 r"|was|were|went|could be|might be))?", 0.6)
_WANTS = (
    _form(K.STATE_NEED, r"(?P<s><WHO>) (?:really |still |also |just |will |would |might |urgently )*(?:needs?|could use|could do with|requires?"
                        r"|am in need of|is in need of)"
                        r" <OBJ>(?: (?:to|for) .*)?"),
    _form(K.STATE_GOAL, r"(?P<s><WHO>) (?:am|is|are|was|were|has been|have been|will be)?(?: still| just| also| now| busy)* ?(?:looking for"
                        r"|searching for|trying to find|hunting for|seeking|looking everywhere for"
                        r"|after|going for) <OBJ>(?: <PLACE2>)?(?: everywhere)?"),
    _form(K.STATE_GOAL, r"(?P<s><WHO>) (?:can|could|do|still can) not (?:find|see|locate)(?: where)? <OBJ>"),
    _form(K.STATE_GOAL, r"(?P<s><WHO>) (?:have |has |just |must have )*(?:lost|misplaced) <OBJ>"),
    _form(K.STATE_GOAL, r"(?P<s><WHO>) (?:really |just |also |still )*(?:wants?|would like|would love|am going|is going|are going|plans?|plan"
                        r"|intends?|am about|is about|have|has|need|needs|will|shall|am trying|is trying|let us)"
                        r"(?: to)?(?: go)? (?:and )?(?:get|find|fetch|have|use|grab|take|eat|drink|read|make|pour|cut|cook|buy|put|place|move|bring"
                        r"|look for) <OBJ>(?: (?P<p><PLACE2>))?"),
    _form(K.STATE_GOAL, r"(?P<s><WHO>) (?:really |just |also |still )*(?:wants?|would like|would love|fancy|feel like) <OBJ>"),
    _form(K.STATE_GOAL, r"time (?:for|to (?:get|have|read|eat|drink)) <OBJ>"),
    _form(K.STATE_NEED, r"(?:it would be (?:nice|great|lovely|good)|i would be happy) (?:to (?:have|get|drink|eat|read)|if (?:i|we) had) <OBJ>"),
)
_SHORT = (
    _form(K.CONFIRM, r"(?:yes|sure|of course|please do|go ahead|correct|right|exactly|that is (?:right|true|it|correct)|thanks|thank you|great"
                     r"|perfect|all right|alright"
                     r"|definitely|absolutely|i agree|ok|okay|please|that would be (?:great|nice|lovely))(?:,? (?:please|thanks|thank you|it (?:is"
                     r"|does)|that is right|do|i did|very much|so much|a lot|they are))*"),
)
# Talk about what others think, about what is not so, or about nothing that concerns places: heard, and no statement of fact.
NOT_A_FACT = re.compile(
    r"(?:@\d+|he|she|they|you|everyone|someone|somebody) (?:\w+ )?(?:thinks?|believes?|believed|thought|assumes?|assumed|knows?|knew|wonders?|hopes?"
    r"|doubts?|imagines?|pretends?|(?:do|does|did) not (?:know|think|believe)|might think|may think|expects?)\b"
    r"|(?:i |we )?(?:wish|hope|imagine|pretend|suppose|doubt|dreamt|dreamed)\b|(?:even )?if\b|unless\b|what if\b|would (?:be|have)\b|i would have\b")
SMALL_TALK = re.compile(r"(?:hello|hi|hey|good (?:morning|evening|night|afternoon)|bye|goodbye|see you|how are you|nice to .*|what is up|sorry"
                        r"|excuse me|oh|ah|wow|hm+|i see"
                        r"|no problem|you are welcome|i (?:do|did) not (?:know|remember|have a clue)|no idea|i have no idea|i am not sure|not sure"
                        r"|let me (?:see|think)"
                        r"|i (?:have )?not seen (?:it|them)|(?:it|they|he|she) (?:is|are|does|do|did)"
                        r"|(?:what|who|whose|why|how|when|which)\b.*|.* (?:is|are|was|were) (?:now |still |already |really |so |too )*(?:open|closed"
                        r"|shut|on|off|empty|full|dirty|clean|broken|done|ready|here|nice|good)"
                        r"|i am (?:here|back|home|done|busy|tired|ready))")
BARE_THING = re.compile(_OBJECTS)
HEDGES: tuple[tuple[re.Pattern[str], float], ...] = tuple((re.compile(p), f) for p, f in (
    (r"^i am (?:not|un) ?(?:entirely |completely |quite |really )?(?:sure|certain) but ", 0.5),
    (r"^(?:i (?:do )?(?:think|believe|guess|suppose|reckon|assume|feel like)|if i remember (?:correctly|right|well)|as far as i (?:know|remember)"
     r"|i am (?:pretty|fairly|quite|almost) (?:sure|certain)),? (?:that )?", 0.75),
    (r"^(?:i am (?:sure|certain|positive)|i know|for sure|definitely|certainly|of course|trust me|in fact|i remember(?! seeing| putting"
     r"| leaving)),? (?:that )?", 1.0),
    (r"^(?:maybe|perhaps|possibly|it could be that|it might be that),? ", 0.6), (r"^(?:probably|most likely|likely|presumably),? ", 0.75),
    (r"^(?:@\d+|he|she|someone|somebody|they) (?:said|says|told me|mentioned|claims|claimed),? (?:that )?", 0.7),
))
INNER_HEDGES: tuple[tuple[re.Pattern[str], float], ...] = tuple((re.compile(p), f) for p, f in (
    (r",? i (?:think|believe|guess"
     r"|suppose|reckon)$", 0.75), (r" (?:probably|likely"
                                   r"|presumably)(?= )", 0.75), (r" (?:maybe|perhaps"
                                                            r"|possibly)(?= )", 0.6), (r" (?:definitely|certainly|surely)(?= )", 1.0)))
ABOUT_THE_SOUGHT = re.compile(r"^if (?:you|<WHO>) (?:are looking for|need|want|are after|would like"
                              r"|are searching for) (?P<o>@\d+)(?:,? (?:then )?|$)".replace("<WHO>", _WHO))

ORDER: tuple[Form, ...] = (*_SHORT, *_REFUSALS, _NOT_KNOWN, *_QUESTIONS, _YOU_WILL_FIND, *_REQUESTS, *_DENIALS, *_WANTS, *_MOVED, *_STATEMENTS)
