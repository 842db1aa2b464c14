"""python3 -m unittest"""

import pathlib
import tomllib
import unittest


class ExhibitsTests(unittest.TestCase):
    def test_every_exhibit_has_all_that_is_shown(self):
        halls = {path.name: tomllib.loads(path.read_text()) for path in pathlib.Path(__file__).parent.glob("*.toml")}
        self.assertEqual({name: len(hall) - 3 for name, hall in halls.items()}, {"exhibits.toml": 12, "museum.toml": 4})
        for name, hall in halls.items():
            self.assertEqual(len(hall.pop("uuid")), 36, name)
            self.assertIsInstance(hall.pop("major"), int, name)
            language = hall.pop("language")
            for minor, exhibit in hall.items():
                self.assertTrue(0 <= int(minor) < 65536, name)
                self.assertEqual(sorted(exhibit), ["made", "text", "title"], f"{name}: {minor}")
                texts = [text if isinstance(text, dict) else {language: text} for text in exhibit.values()]
                self.assertTrue(all(language in text and all(each.strip() for each in text.values()) for text in texts), f"{name}: {minor}")


if __name__ == "__main__":
    unittest.main()
