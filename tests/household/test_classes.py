import collections

import pytest

from household import classes


def test_no_word_names_two_classes():
    words = collections.Counter(word for row in classes.CLASSES.values() for word in row.words)
    assert [w for w, n in words.items() if n > 1] == []


def test_ids_are_unique_and_plain():
    assert all(c.isascii() and c.isalpha() and c.islower() for c in classes.CLASSES)


@pytest.mark.parametrize("word, cls", [("refrigerator", "fridge"), ("Wine Glasses", "wineglass"), ("cutting boards", "cuttingboard"),
                                       ("knives", "knife"), ("boxes", "box"), ("couch", "sofa"), ("living room", "livingroom")])
def test_words_find_their_class(word, cls):
    assert classes.class_for_word(word).id == cls


def test_an_unknown_word_is_none_and_an_unknown_id_suggests():
    assert classes.class_for_word("flux capacitor") is None
    with pytest.raises(KeyError, match="fridge"):
        classes.get("fridg")


def test_what_is_used_together_exists():
    for parts in classes.USE_TOGETHER.values():
        assert all(p in classes.CLASSES for p in parts)


def test_class_of_an_entity():
    assert classes.class_of("kitchencabinet_12") == "kitchencabinet" and classes.class_of("alice") == "alice"
