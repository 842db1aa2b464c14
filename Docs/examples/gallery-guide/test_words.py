"""python3 -m unittest"""

import string
import unittest

from words import ENGLISH, ERRORS, GERMAN, merged, reason, words

CLOCK = {"title": "Clock", "made": {"en": "Brass", "de": "Messing"}, "text": "A long story."}
PLACE = {"title": "Uhr", "text": "Eine Uhr."}


class WordsTests(unittest.TestCase):
    def test_each_language_has_all_words_with_the_same_placeholders(self):
        def shape(table):
            return {key: [name for text in (texts if isinstance(texts, tuple) else (texts,)) for _, name, _, _ in string.Formatter().parse(text) if name]
                    for key, texts in table.items()}

        self.assertEqual(shape(GERMAN), shape(ENGLISH))

    def test_a_reason_is_in_the_language_of_the_screen(self):
        self.assertEqual(reason("denied for this user", "NotAuthorized", "en"), "denied for this user")
        self.assertIn("nicht erlaubt", reason("denied for this user", "NotAuthorized", "de"))
        self.assertEqual(reason("kein Weg", None, "de"), "kein Weg")
        self.assertEqual(reason("too many sessions", "TooManySessions", "de"), "too many sessions")
        self.assertLessEqual(set(ERRORS), {ENGLISH["language"], GERMAN["language"]})

    def test_the_words_are_in_the_first_language_that_exists(self):
        for names, language in (
            (["de_CH.UTF-8", "de_CH", "de", "C"], "de"), (["de-AT"], "de"), (["fr_FR", "fr", "de", "C"], "de"), (["en_GB", "en", "de"], "en"),
            (["C.UTF-8", "C"], "en"), (["POSIX"], "en"), ([], "en"), (["fr", "C"], "en"),
        ):
            self.assertEqual(words(names)["language"], language, names)

    def test_an_exhibit_has_the_text_of_the_reader_s_language(self):
        self.assertEqual(merged(CLOCK, PLACE, ["de_DE.UTF-8"]), {"title": "Uhr", "made": "Messing", "text": "Eine Uhr."})
        self.assertEqual(merged(CLOCK, {"title": "Clock", "text": "A clock."}, ["en_GB"]), {"title": "Clock", "made": "Brass", "text": "A long story."})
        self.assertEqual(merged(CLOCK | {"text": "Lang."}, PLACE, ["de"], language="de")["text"], "Lang.")
        self.assertEqual(merged(CLOCK, PLACE, ["C"])["text"], "A long story.")

    def test_an_exhibit_without_a_text_in_the_reader_s_language_has_another_one(self):
        self.assertEqual(merged(CLOCK, {}, ["de"]), {"title": "Clock", "made": "Messing", "text": "A long story."})
        self.assertEqual(merged({}, PLACE, ["fr"]), {"title": "Uhr", "made": "", "text": "Eine Uhr."})
        self.assertEqual(merged({"made": {"de": "Messing"}}, {}, ["fr"])["made"], "Messing")


if __name__ == "__main__":
    unittest.main()
