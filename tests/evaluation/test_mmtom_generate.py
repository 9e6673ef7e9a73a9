"""Generated questions: true, told in words the reader gets back exactly, and answered by a mind that has never seen them."""

import json
import random

import pytest

from evaluation import generate as g
from evaluation.cli import main
from evaluation.commands.eval_mmtom import evaluate_items
from evaluation.generate_episodes import errand
from evaluation.generate_text import Names, Told, conduct_text, home_text
from evaluation.mmtom_items import item_of
from evaluation.mmtom_solve import read
from household.actions import Verb
from household.classes import class_of
from mind.config import MindConfig
from mind.reading import read_conduct, read_home


@pytest.fixture(scope="module")
def rows():
    return list(g.generate(11, 7, g.CLASSIC))


def test_every_type_and_both_answers(rows):
    assert sorted(r["question_type"] for r in rows) == sorted(t.value for t in g.CLASSIC)
    assert {r["answer"] for r in rows} == {"a", "b"}
    assert len({r["episode"] for r in rows}) == len(rows)


def test_the_same_seed_gives_the_same_questions(rows):
    again = g.generate(11, 7, g.CLASSIC)
    assert [next(again) for _ in range(3)] == rows[:3]


def test_the_mind_answers_them(rows):
    report = evaluate_items([item_of(n, r, "line") for n, r in enumerate(rows)], {}, MindConfig(), extras=False)
    assert report["unparsed"] == [] and report["accuracy"] >= 6 / 7
    assert report["reading"]["problems"] == []


@pytest.mark.parametrize("writer", [0, 1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_is_what_is_read(writer, seed):
    """Homes and acts drawn at random, written, and read back: the same places, contents and acts."""
    rng = random.Random(seed)
    rooms = ["kitchen", "bathroom", "livingroom", "bedroom"]
    pieces = {"kitchen": ["fridge", "stove", "microwave", "kitchentable"] + ["kitchencabinet"] * rng.randint(1, 8), "bathroom": ["bathroomcabinet"],
              "livingroom": ["cabinet", "sofa", "coffeetable", "desk"], "bedroom": ["desk", "drawer", "wardrobe"]}
    places, counts = {}, {}
    for room in rooms:
        for cls in pieces[room]:
            counts[cls] = counts.get(cls, 0) + 1
            places[f"{cls}_{counts[cls]}"] = room
    contents = {p: {c: rng.randint(1, 3) for c in rng.sample(("apple", "plate", "waterglass", "chips", "wine", "book", "dishbowl"), rng.randint(0, 3))}
                for p in places}
    names = Names(places)
    home = read_home(home_text(rooms, places, contents, writer, rng))
    assert home.problems == () and set(home.rooms) == set(rooms)

    def keyed(some):
        of = Names(dict(some))
        return {p: (room, class_of(p), of.peers(p).index(p)) for p, room in some.items()}

    wrote, got = keyed(places), keyed(home.places)
    assert {wrote[p]: held for p, held in contents.items() if held} == {got[p]: dict(held) for p, held in home.contents().items() if held}
    visits = rng.sample([p for p in places if class_of(p) not in ("sofa", "desk", "coffeetable", "kitchentable")], 5)
    told = []
    for place in visits:
        told += [Told("Nora", Verb.ENTER, places[place]), Told("Nora", Verb.WALKTOWARDS, place), Told("Nora", Verb.OPEN, place),
                 Told("Nora", Verb.CLOSE, place)]
    conduct = read_conduct(conduct_text(told, {"Nora": "bedroom"}, places, writer, rng), home, "Nora")
    assert conduct.problems == () and conduct.start_room == "bedroom"
    opened = [got[a.target] for a in conduct.actions if a.verb is Verb.OPEN]
    closed = [got[a.target] for a in conduct.actions if a.verb is Verb.CLOSE]
    assert opened == closed == [wrote[p] for p in visits], names.of(visits[0])


def test_an_errand_is_deterministic_and_what_is_seen_only_grows():
    a, b = errand("maple", 4), errand("maple", 4)
    assert a == b and a.deeds
    for before, after in zip(a.deeds, a.deeds[1:]):
        assert before.seen <= after.seen and before.time <= after.time


def test_an_ideal_observer_never_rules_out_the_true_goal(rows):
    """Where the true goal is among the options of a goal question without an assumption, it is the right one."""
    from household import classes

    for r in rows:
        if r["question_type"] in ("2.1", "2.3", "2.4"):
            options = dict(zip("ab", r["question"].split("(a) ")[1].split(" (b) ")))
            word = classes.get(r["goal"]).spoken
            named = [k for k, text in options.items() if f" {word}." in text]
            assert named in ([], [r["answer"]])


def test_two_people_are_told_apart():
    row = next(g.generate(3, 1, (g.Type.TWO_PEOPLE,)))
    found = read(item_of(0, row, "line"))
    assert not found.failed and found.problems == ()
    actors = row["question"].split("Actions taken by ")[1]
    assert actors.count(" is ") + actors.count(" starts ") >= 2


def test_command(tmp_path, capsys):
    out, near = tmp_path / "q.jsonl", tmp_path / "c.json"
    assert main(["generate", "--output", str(out), "--closeness", str(near), "--count", "2", "--types", "2.3,belief change", "--seed", "2"]) == 0
    items = [json.loads(line) for line in out.read_text().splitlines()]
    assert [i["question_type"] for i in items].count("2.3") == 1
    assert set(json.loads(near.read_text())) == {str(i["episode"]) for i in items}
    assert main(["eval", "mmtom", "--questions", str(out), "--condition", "multimodal", "--closeness", str(near), "--no-ablations"]) == 0


@pytest.mark.parametrize("extra, word", [(["--count", "0"], "1 to"), (["--types", "3.1"], "allowed"), (["--output", "/proc/x/q"], "cannot write")])
def test_bad_usage(tmp_path, extra, word, capsys):
    assert main(["generate", "--output", str(tmp_path / "q"), *extra]) == 2
    assert word in capsys.readouterr().err
