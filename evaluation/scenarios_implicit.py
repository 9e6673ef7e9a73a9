"""Implicit goals: nobody asks the robot for anything, but a need can be read off what people do, say, or leave behind.

MindPower's four kinds (supplement B.1): people of special needs, properties of objects, functional combinations of objects, and
dialogue. The control keeps people and things and takes the need away: the way is free, the thing is low, the tap is turned off, the light
stays on, the tool lies in view, the talk is only talk.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from household import classes
from planner.acts import HelpKind
from sim_bridges.embedded.model import Furniture, Home
from sim_bridges.embedded.nav import WHEELCHAIR_RADIUS, NavMap

from evaluation.scenarios import Aim, AimKind, Family, NotHere, Scenario, Variant, Wanted
from evaluation.scenarios_stage import Stage, body, container, draw_cast, pick, put, with_only

_GIVE = frozenset({HelpKind.FETCH, HelpKind.TELL})
_HIGH_SHELF_M = 1.55
_DUSK = 0.3  # light without lamps: too little to read by, enough to see people by


def make(variant: Variant, home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """The scenario and its control. Raises NotHere."""
    return _MAKERS[variant](home, seed, rng, name)


def _story(name: str, cast: dict, things: dict | None = None, limit: float = 110.0, **more) -> dict:
    return {"name": name, "limit": limit, "after_goal": more.pop("after_goal", 2), "things": things or {}, "cast": cast, **more}


def _pair(name: str, family: Family, variant: Variant, seed: int, homes: tuple[Home, Home], stories: tuple[dict, dict], people: int,
          aim: Aim, accept: tuple[Wanted, ...], known: frozenset[str], probe: str, room: str, what: str) -> tuple[Scenario, Scenario]:
    """A scenario and its control, named after what is different."""
    other = f"{name}-control-{what}"
    return (Scenario(name, family, variant, False, seed, homes[0], {**stories[0], "name": name}, people, aim, accept, known, probe, room),
            Scenario(other, family, variant, True, seed, homes[1], {**stories[1], "name": other}, people, aim, (), known, probe, room))


# special needs


def _wheelchair(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """A doorway is blocked by a suitcase; in the control the suitcase stands aside."""
    doors = [d for d in home.doorways if d.width >= 0.85]
    door = doors[int(rng.integers(len(doors)))] if doors else None
    if door is None:
        raise NotHere("no doorway wide enough for a wheelchair")
    here, there = door.rooms if rng.random() < 0.5 else door.rooms[::-1]
    (who,) = draw_cast(rng, 1)
    suitcase = Furniture("suitcase_1", "suitcase", here, (*door.center, 0.0), door.yaw, classes.get("suitcase").size)
    home = replace(home, furniture=tuple(f for f in home.furniture if f.cls != "suitcase"), people=())
    blocked = Stage.of(replace(home, furniture=(*home.furniture, suitcase))).place_robot(here, [suitcase.id])
    home = replace(home, robot=blocked.robot)
    _must_be_stuck(blocked, door.center, here, there)
    aside = _aside(home, suitcase, here, rng)
    cast = {who: {"start": here, "body": {"height": 1.32, "reach": 1.3, "stride": 0.7, "posture": "wheelchair"},
                  "script": [{"do": f"walk({door.id})", "id": "tries"}, {"do": "wait(1.5)"}],
                  "then": {"goal": f"reach(place={there})", "after": f"{who}.tries", "wait": [0.2, 0.5]}}}
    story = _story(name, cast)
    accept = (Wanted(frozenset({HelpKind.MOVE}), who, frozenset({"suitcase_1"})),)
    return _pair(name, Family.SPECIAL, Variant.WHEELCHAIR, seed, (blocked, replace(home, furniture=(*home.furniture, aside))),
                 (story, story), 1, Aim(AimKind.REACHED, who), accept, frozenset(), who, here, "free_way")


def _must_be_stuck(home: Home, center, here: str, there: str) -> None:
    """Whether the suitcase really closes the only way for a wheelchair."""
    nav, rooms = NavMap.of(home), {r.id: r for r in home.rooms}

    def middle(room: str):
        r = rooms[room]
        return nav.nearest_free(((r.low[0] + r.high[0]) / 2, (r.low[1] + r.high[1]) / 2), WHEELCHAIR_RADIUS, within=2.5)

    a, b = middle(here), middle(there)
    if a is None or b is None or nav.path(a, b, WHEELCHAIR_RADIUS) is not None:
        raise NotHere(f"{home.name}: there is another way to {there}")
    free = NavMap(replace(home, furniture=tuple(f for f in home.furniture if f.id != "suitcase_1")))
    if free.path(a, b, WHEELCHAIR_RADIUS) is None:
        raise NotHere(f"{home.name}: a wheelchair does not get to {there} at all")


def _aside(home: Home, suitcase: Furniture, room: str, rng: np.random.Generator) -> Furniture:
    """The same suitcase in its room where it hinders nobody: as far from doors and from the middle as it gets."""
    r, nav = next(r for r in home.rooms if r.id == room), NavMap.of(home)
    best, clear = None, 0.9
    for _ in range(60):
        x, y = float(rng.uniform(r.low[0] + 0.35, r.high[0] - 0.35)), float(rng.uniform(r.low[1] + 0.35, r.high[1] - 0.35))
        gap = min(np.hypot(x - d.center[0], y - d.center[1]) for d in home.doorways)
        if gap > clear and nav.free((x, y), 0.25):
            best, clear = (round(x, 2), round(y, 2), 0.0), gap
    if best is None:
        raise NotHere(f"{home.name}: no corner for the suitcase")
    return replace(suitcase, position=best)


def _child(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """A toy on top of a shelf; in the control on a low table."""
    shelves = [f for f in home.furniture if f.cls == "bookshelf"]
    shelf = pick(rng, shelves)
    stage = Stage.of(home)
    low = pick(rng, [f for f in stage.usable(shelf.room) if f.cls in ("coffeetable", "tvstand", "nightstand", "desk", "bench")])
    home = replace(home, furniture=tuple(replace(f, heights=(_HIGH_SHELF_M,)) if f.id == shelf.id else f for f in home.furniture))
    home = replace(home, things=tuple(t for t in home.things if t.at != shelf.id))
    thing_class = pick(rng, ("toy", "cupcake", "book", "magazine", "banana"))
    home = Stage.of(home).place_robot(shelf.room, [shelf.id])
    (who,) = draw_cast(rng, 1)
    homes, stories = [], []
    for place in (shelf, low):
        staged, thing = with_only(home, thing_class, place.id)
        cast = {who: {"start": shelf.room, "body": {"height": 1.18, "reach": 1.35, "stride": 0.8},
                      "script": [{"do": f"walk({place.id})"}, {"do": f"point({thing})", "id": "points"}],
                      "then": {"goal": f"get({thing})", "after": f"{who}.points", "wait": [0.3, 0.8]}}}
        homes.append(staged)
        stories.append(_story(name, cast, {thing: place.id}))
    accept = (Wanted(frozenset({HelpKind.FETCH}), who, frozenset({thing})),)
    return _pair(name, Family.SPECIAL, Variant.CHILD, seed, tuple(homes), tuple(stories), 1, Aim(AimKind.REACHED, who, (thing,)), accept,
                 frozenset(), who, shelf.room, "low")


# properties of objects


def _tap(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """Left running; in the control turned off before leaving."""
    tap = pick(rng, [f for f in home.furniture if f.cls in ("faucet", "sink")])
    home = Stage.of(home).place_robot(tap.room, [tap.id])
    (who,) = draw_cast(rng, 1)
    away = pick(rng, [r.id for r in home.rooms if r.id != tap.room])
    start = [{"do": f"switchon({tap.id})"}, {"do": "wait(3)"}]
    off = [{"do": f"switchoff({tap.id})"}]
    leave = [{"do": f"enter({away})", "id": "left"}]

    def story(script):
        return _story(name, {who: {"start": tap.room, "body": body(rng), "script": [*script, {"do": "wait(30)"}]}}, limit=70.0)

    stories = (story([*start, *leave]), story([*start, *off, *leave]))
    accept = (Wanted(frozenset({HelpKind.SWITCH_OFF}), None, frozenset({tap.id})),)
    return _pair(name, Family.PROPERTY, Variant.TAP, seed, (home, home), stories, 1, Aim(AimKind.OFF, None, (tap.id,)), accept, frozenset(),
                 f"{who}.left", tap.room, "turned_off")


def _power_cut(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """The light goes out while somebody reads; in the control it stays on and they go on to something else."""
    lamps = [f for f in home.furniture if f.cls == "lamp"]
    lamp = pick(rng, lamps)
    seat = pick(rng, [f for f in home.furniture if f.room == lamp.room and f.cls in ("sofa", "chair", "bed", "bench")])
    stage = Stage.of(home)
    surfaces = [f for f in stage.usable(lamp.room) if not container(f)]
    store = pick(rng, [f for r in (lamp.room, *stage.adjoining(lamp.room)) for f in stage.usable(r) if container(f)])
    home = replace(home, furniture=tuple(replace(f, on=True) if f.cls == "lamp" else f for f in home.furniture))
    home, candle = with_only(home, "candle", store.id)
    home, book = with_only(home, "book", pick(rng, surfaces).id)
    home = replace(home, things=tuple(t for t in home.things if t.cls != "flashlight"))
    home = Stage.of(home).place_robot(lamp.room, [lamp.id, seat.id])
    (who,) = draw_cast(rng, 1)
    read = [{"do": f"pick({book})"}, {"do": f"sit({seat.id})"} if seat.cls != "bed" else {"do": f"walk({seat.id})"},
            {"do": f"read({book})", "id": "reads"}]
    things = {candle: store.id, book: next(t.at for t in home.things if t.id == book)}
    person = {"start": lamp.room, "body": body(rng), "script": read}
    seeks = {**person, "then": {"goal": "get(candle)", "after": "event.cut", "wait": [1, 2]}}
    events = [{"after": f"{who}.reads", "light": _DUSK, "id": "cut"},
              *({"after": f"{who}.reads", "switch": f.id, "on": False} for f in lamps)]
    goes_on = {**person, "script": [*read, {"do": f"read({book})"}, {"do": f"walk({pick(rng, surfaces).id})"}, {"do": "wait(4)"}]}
    stories = (_story(name, {who: seeks}, things, events=events), _story(name, {who: goes_on}, things))
    accept = (Wanted(_GIVE, who, frozenset({candle})),)
    return _pair(name, Family.PROPERTY, Variant.POWER_CUT, seed, (home, home), stories, 1, Aim(AimKind.REACHED, who, (candle,)), accept,
                 frozenset({candle}), who, lamp.room, "light_stays")


# combinations

_SETS = (("cuttingboard", "carrot", "knife"), ("cuttingboard", "bread", "knife"), ("salmon", "plate", "fork"))


def _missing_tool(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """Two of three things are laid out, the third is searched; in the control it lies in view on the same table."""
    stage = Stage.of(home)
    tables = [f for f in home.furniture if f.cls in ("kitchentable", "kitchencounter", "diningtable")]
    table = pick(rng, tables)
    near = stage.usable(table.room)
    parts = list(pick(rng, _SETS))
    surfaces = [f for f in near if not container(f) and f.id != table.id] or [f for f in near if not container(f)]
    stores = [f for f in near if container(f)]
    if len(stores) < 3:
        raise NotHere(f"{home.name}: too few cupboards near {table.id}")
    store, source = pick(rng, stores), pick(rng, surfaces)
    (who,) = draw_cast(rng, 1)
    home, tool = with_only(home, parts[2], store.id)
    things = {tool: store.id}
    for part in parts[:2]:
        home, thing = with_only(home, part, source.id)
        things[thing] = source.id
    home = Stage.of(home).place_robot(table.room, [table.id])
    lay = [{"do": put(f"{p}_1", table), "id": f"lays_{p}"} for p in parts[:2]]
    goal = {"goal": f"get({tool})", "after": f"{who}.lays_{parts[1]}", "wait": [0.3, 1]}
    cast = {who: {"start": table.room, "body": body(rng), "script": lay, "then": goal}}
    in_view = {**things, tool: source.id}
    accept = (Wanted(_GIVE, who, frozenset({tool}), places=frozenset({store.id})),)
    return _pair(name, Family.COMBINATION, Variant.MISSING_TOOL, seed, (home, home),
                 (_story(name, cast, things), _story(name, cast, in_view)), 1, Aim(AimKind.REACHED, who, (tool,)), accept,
                 frozenset({tool}), who, table.room, "in_view")


# dialogue

_THIRST = ("waterglass", "juice", "milk", "mug", "beer")
_TALKS = (
    (("This room is so stuffy.", "I just brushed my teeth and my mouth is so dry.", "It would be nice to drink some water."), _THIRST),
    (("What a long walk that was.", "Yes, and it was hot. I am really thirsty."), _THIRST),
    (("How was your day?", "Exhausting. My throat is so dry."), _THIRST),
    (("What are you doing?", "I can't read this, the letters are so small."), ("glasses",)),
    (("You look pale.", "I have such a headache."), ("medicine",)),
    (("Did you hear the news?", "No. I would like to watch some television."), ("remotecontrol",)),
    (("Are you going out?", "Soon. I need to make a phone call first."), ("cellphone",)),
    (("It is quiet today.", "I would love to read something."), ("book", "magazine", "newspaper")),
    (("We should not forget the birthday.", "I need something to write with."), ("pen", "notebook")),
)
_CHATS = (("This room is so pretty.", "Yes, I like it here."), ("How was your day?", "Good. I had a nice walk."),
          ("Did you sleep well?", "Very well, thank you."), ("The weather is lovely.", "It is. The sun is shining."),
          ("I just had a big glass of water.", "That is good on such a day."), ("Your mother called.", "I will see her tomorrow."))


def _spoken_need(home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """Two people talk, one has a need; in the control they only talk."""
    stage = Stage.of(home)
    room = pick(rng, [r.id for r in home.rooms if len(stage.usable(r.id)) >= 1 and r.cls in ("livingroom", "kitchen", "diningroom",
                                                                                             "bedroom")])
    lines, serving = _TALKS[int(rng.integers(len(_TALKS)))]
    chat = _CHATS[int(rng.integers(len(_CHATS)))]
    others = [f for r in home.rooms if r.id != room for f in stage.usable(r.id) if f.position[2] + min(f.heights) < 1.5]
    place = pick(rng, others)
    home = replace(home, things=tuple(t for t in home.things if t.cls not in serving))
    home, thing = with_only(home, serving[0], place.id)
    home = Stage.of(home).place_robot(room, [])
    a, b = draw_cast(rng, 2)
    speakers = [(a, b)[i % 2] for i in range(len(lines))]
    needy = speakers[-1]

    def part(who: str, said: tuple[str, ...], then: dict | None = None) -> dict:
        script, other = [], b if who == a else a
        for i, line in enumerate(said):
            if (a, b)[i % 2] == who:
                step = {"do": f'say("{line}", {other})', "id": f"line{i}", "wait": [0.5, 1.5] if i else [6, 8]}
                script.append({**step, "after": f"{other}.line{i - 1}"} if i else step)
        row = {"start": room, "body": body_of[who], "script": [*script, {"do": "wait(12)"}]}
        return row if then is None else {**row, "then": then}

    body_of = {a: body(rng), b: body(rng)}
    goal = {"goal": f"get({thing})", "after": f"{needy}.line{len(lines) - 1}", "wait": [25, 35]}
    needs = {who: part(who, lines, goal if who == needy else None) for who in (a, b)}
    talks = {who: part(who, chat) for who in (a, b)}
    things = {thing: place.id}
    it = frozenset({thing})
    accept = (Wanted(frozenset({HelpKind.FETCH}), needy, it), Wanted(frozenset({HelpKind.FETCH}), b, it)) if len(lines) == 3 else (
        Wanted(frozenset({HelpKind.FETCH}), needy, it),)
    return _pair(name, Family.DIALOGUE, Variant.SPOKEN_NEED, seed, (home, home),
                 (_story(name, needs, things, limit=150.0), _story(name, talks, things)), 2, Aim(AimKind.HAS, needy, (thing,)), accept,
                 frozenset({thing}), f"{needy}.line{len(lines) - 1}", room, "only_talk")


_MAKERS = {Variant.WHEELCHAIR: _wheelchair, Variant.CHILD: _child, Variant.TAP: _tap, Variant.POWER_CUT: _power_cut,
           Variant.MISSING_TOOL: _missing_tool, Variant.SPOKEN_NEED: _spoken_need}
