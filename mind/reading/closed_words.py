"""The small words: numbers, determiners, prepositions, connectives, adverbs, and what people say for thinking, wanting and intending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mind.reading.terms import Entry, Tag

_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
_ORDINALS = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
             "seventeenth eighteenth nineteenth twentieth")
LAST = -1  # value of "last", "rightmost"
MIDDLE = 0  # of "the middle one"

_CLOSED: Mapping[Tag, str] = {  # phrases separated by "|"
    Tag.DEFINITE: "the|this|that|these|those|its|his|her|their",
    Tag.INDEFINITE: "a|an|some|a single|a lone|a solitary|just a|only a|only an|just one|only one|a single one of",
    Tag.ANOTHER: "another|one more|an additional|a further|a second one of",
    Tag.ONE_OF: "one of the|one of|one of these|one of those|either of the",
    Tag.OTHER_ONE: "other|remaining|rest of the|others|rest|other two|other three|remaining two|remaining three",
    Tag.EVERY: "all of the|all the|all|each of the|both of the|both the|every|every one of the|the two of the",
    Tag.MEASURE: "piece of|pieces of|slice of|slices of|fillet of|portion of|pair of|couple of|copy of|copies of",
    Tag.PRONOUN: "it|them|each one|each of them|both of them|both|each|ones|each of these|every one|all of them|each one of them|the same|itself",
    Tag.HERE: "inside it|in it|on it|on them|in them|inside them|within it|on top of it|on top|there|therein|atop it|upon it|on its surface",
    Tag.WHICH: "which|that|whose|where",
    Tag.AND: "and|or|plus|along with|together with|alongside|as well as|in addition to|accompanied by|besides|then|and then|nor|with also|&",
    Tag.BUT: "while|whereas|whilst|but|although|though|yet|and yet",
    Tag.WITH: "with",
    Tag.WITHOUT: "without|instead of|rather than",
    Tag.PREP: "in the middle of|in the centre of|in the center of|in|inside|inside of|within|on|on top of|upon|atop|at|onto|in the interior of|on the surface of",
    Tag.TOWARDS: "to|towards|toward|into|in the direction of|up to|over to|back to|for|back into|over towards|back towards|back toward|"
                 "by way of|back for",
    Tag.FROM: "from|out of|away from|off|outside of",
    Tag.PAST: "past|through|around|round|about|across|by|near|next to|beside|in front of|beyond|over|along|behind|throughout",
    Tag.EXIST: "there is|there are|there's|there're|there was|there were|there sits|there lies|there stands|there lie|there sit|there exists|"
               "you'll find|you will find|you can find|one finds|one can find|you find|we find|one will find|you'll see|you will see|we see|"
               "there is also|there are also|there's also|there can be found|there remains|there remain",
    Tag.BE: "is|are|was|were|be|been|being|has been|have been|'re",
    Tag.EMPTY: "empty|bare|vacant|unoccupied|barren|devoid of items|devoid of anything|completely clear|emptied|without contents|unfilled|clear",
    Tag.NOT: "not|n't|isn't|aren't|doesn't|don't|no longer|never|cannot|can't|hasn't|haven't|didn't|wasn't|weren't|neither|won't|no|"
             "nobody|lacks|lack|lacking|is missing",
    Tag.NOTHING: "nothing|nothing else|nothing at all|anything|no items|no objects|no things|any items|any objects|any thing|no contents|"
                 "not a thing|none|nothing of note|nothing of interest",
    Tag.EACH: "each contain|each hold|in turn|in succession|one after another|one after the other|one by one|successively|consecutively|"
              "sequentially|individually|apiece|in sequence",
    Tag.RESPECTIVELY: "respectively|in that order|in the same order",
    Tag.EXCEPT: "except|except for|apart from|aside from|other than|with the exception of|save for|bar",
    Tag.AS: "as|so",
    Tag.LEFT: "from left to right|from the left|from left|counting from the left|counted from the left|counting from left to right|"
              "numbered from left to right|starting from the left|on the left|when counting from the left|from the left to the right|"
              "from the left side|left to right|reading from left to right|counting left to right|viewed from the left",
    Tag.RIGHT: "from the right|from right|from right to left|counting from the right|counted from the right|from the right side",
    Tag.BEFORE: "before|prior to",
    Tag.AFTER: "after|upon|having|once|on",
    Tag.ABOUT: "about to|preparing to|prepares to|prepared to|prepare to|poised to|ready to|on the verge of|on the brink of|on the point of|"
               "getting ready to|gets ready to|set to|intending to|intends to|going to|readying to|with the intention of|planning to|plans to|"
               "reaching to|reaches to|reaching out to|reaches out to|readies himself to|readies herself to|readying himself to|"
               "readying herself to|prepares for|preparing for|with the intent to|with the aim of|aiming to|aims to|looks set to|"
               "just about to|wants to|moments away from|seconds away from|reaches for the handle to|in order to|so as to|as if to|"
               "ready for|intent on|with a view to|on the cusp of|attempting to|attempts to|tries to|trying to",
    Tag.FOLLOWED: "followed by",
    Tag.REPEAT: "do so with|does so with|doing so with|did so with|do so for|does so for|doing so for|did so for|repeats|repeating|repeated|repeat|does the same|doing the same|did the same|do the same|does likewise|doing likewise|"
                "did likewise|do likewise|continues this pattern|continues the pattern|continues her pattern|continues his pattern|"
                "continues their pattern|continuing this pattern|continuing the pattern|follows the same|following the same|followed the same|"
                "does exactly the same|gives the same treatment|treats|follows suit|following suit|in the same way|in the same manner|"
                "performs the same|performing the same|performed the same|carries out the same|carrying out the same|likewise for|"
                "does so again|does this again|does it again|continues with|goes through the same|going through the same|went through the same|undertakes the same|"
               "conducts the same|applies the same|executes the same|does the very same|makes the same|the same is done|is repeated|are repeated|the same happens|mirrors this|mirroring this|goes on to do the same|the same goes for|continues in this way|"
                "continues in the same way|continues the same routine|continues the same process|continues this process|continues this routine",
    Tag.STEP: "next up is|next up was|next comes|next came|next is|next was|next destination|next stop|last action|final action|last destination|final destination|next action|first stop|last stop|"
              "final stop|destination|next target|first action|first destination|next port of call|next move|last move|final move|path|route",
    Tag.THINK: "according to|in the opinion of|thinks|think|believes|believe|thought|believed|supposes|assumes|expects|suspects|knows|is convinced|is sure|is certain|feels|"
               "reckons|figures|considers|imagines|is confident|is aware|is under the impression|find out|finds out|found out|learn|learns|learned|"
               "learnt|discover|discovers|discovered|realise|realises|realised|realize|realizes|realized|come to know|comes to know|"
               "came to know|know|knew",
    Tag.WANT: "trying to get|looking for|searching for|wants|want|wanted|seeking|seeks|hoping to get|after getting|trying to find|needs|"
              "trying to fetch|looking to get|in search of|hunting for|in need of|trying to obtain|wanting|wants to get|wants to find|"
              "trying to grab|trying to pick up|trying to retrieve|hoping to find|aims to get|goal is to get|goal is|attempting to get|"
              "attempting to find|intends to get|looks for|searches for|has been after|is after|on the hunt for|trying to reach|"
              "trying to collect|trying to take|trying to locate|hopes to get|hopes to find|would like|desires|is hunting",
}
_SKIP = ("suppose|suppose that|supposing|supposing that|assume|assume that|assuming|assuming that|imagine that|nothing but|nothing except|nothing except for|nothing other than|nothing apart from|nothing aside from|also|room|rooms|however|meanwhile|on the other hand|currently|now|just|only|simply|finally|lastly|subsequently|afterward|afterwards|next|promptly|securely|firmly|shortly|"
         "immediately|again|once more|once again|back|first of all|initially|as well|too|additionally|furthermore|moreover|similarly|"
         "still|quickly|slowly|gently|carefully|directly|straight|likewise|briskly|eventually|later|soon|thereafter|quietly|casually|"
         "following this|following that|after that|after this|after which|at last|in the end|at the end|this time|altogether|in total|"
         "only to|in order|as follows|at the moment|at present|presently|right now|all|completely|entirely|totally|otherwise|"
         "at the start|to start with|to begin with|at first|from there|soon after|right after|shortly after|moments later|right away|"
         "once there|when there|once inside|of course|in addition|besides that|for its part|on the other side|over there|here|straightaway|"
         "without delay|without hesitation|takes a moment|pauses|pauses briefly|neatly|merely|instead|equally|to conclude|to finish|"
         "last of all|second of all|in the meantime|up|down|over|in there|right|both of which|all of which|"
         "from this point|at this point|then again|purposefully|confidently|calmly|deliberately|hastily|swiftly|leisurely|on his way|"
         "on her way|on their way|on the way|her way|his way|their way|of these|of them|of which")
PLAIN = ("places placed placing rests rest lies lie walls wall cooks cooking baking houses holds stores stocks shows items item "
          "apartment house flat home consists comprises includes contains furnished equipped fitted featured features side stands inside "
          "stored storing sits sitting seen store stock share sale scene state states actions action person question statement likely more "
          "true process pattern sequence steps same order time other spare space small large wooden white black brown red green blue round "
          "floor door doors handle while these those have has had having who whom what when will would could should its can some such "
          "living bath dining cabin cable cabinetry shell shelf plane plates leave leaves leaving contents content situated located "
          "topped laden adorned decorated occupied moments course stories keeping keeps kept total totals placing chilling housing "
          "holding containing boasting boasts sporting sports bearing bears carrying carries displaying displays featuring mind minds take "
          "taken taking nothing anything everything something none every early mark marks grace rose will bill jack penny "
          "activities exploration round rounds search journey way interacts engages single lone solitary neat tidy closed closing "
          "open opened further next right left filled lying cooked peels sides clean cleaned planes stone cases closer dishes pasta peace "
         "print quiet seats smart solid steel thank thick touch tower trees waits whole works warm warming cooled chill heated baked hosts "
         "hosted housed resting laying nestled tucked arranged showcases positioned piled stacked scattered served serving plain sheet "
         "sport sports stones story storey clock cloth early final large leads longer looks lower makes meals minor model named nearby "
         "north novel offer offers often order paper parts party phase point power press proof ready really reads rests round salad sauce "
         "scene seems serve seven shape share sharp shows sight since sleep smart smell snack soap sound south speed spice staff stage "
         "start steps stick still stock street style sugar sweet table takes taste their these things third those three times title today "
         "towel track train treat truth twice under until upper usual value visit voice walks waste watch water wheel where white whose "
         "woman world worth would write young thing heats chefs cooling beneath beside between above below underneath").split()


def closed_words() -> Iterator[tuple[str, Entry]]:
    for n, word in enumerate(_CARDINALS.split()):
        yield word, Entry(Tag.NUMBER, n)
        yield str(n), Entry(Tag.NUMBER, n)
    yield "several", Entry(Tag.NUMBER, 3)
    for n, word in enumerate(_ORDINALS.split(), 1):
        yield word, Entry(Tag.ORDINAL, n)
        yield f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}", Entry(Tag.ORDINAL, n)
    for word in ("last", "rightmost", "right most", "far right"):
        yield word, Entry(Tag.ORDINAL, LAST)
    for word in ("leftmost", "left most", "far left"):
        yield word, Entry(Tag.ORDINAL, 1)
    for word in ("penultimate", "second to last", "second-to-last", "next to last", "last but one"):
        yield word, Entry(Tag.ORDINAL, LAST - 1)
    for word in ("middle", "central"):
        yield word, Entry(Tag.ORDINAL, MIDDLE)
    for word in ("he", "she", "they", "him", "himself", "herself", "person", "man", "woman", "resident", "child", "girl", "boy", "i", "we"):
        yield word, Entry(Tag.PERSON)
    for word in _SKIP.split("|"):
        yield word, Entry(Tag.SKIP)
    for tag, phrases in _CLOSED.items():
        for phrase in phrases.split("|"):
            yield phrase, Entry(tag, phrase, plural=phrase in ("are", "were", "there are", "have been"))
