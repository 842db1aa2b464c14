"""Tests the venues of sites on a private PostgreSQL: the command that stores them, and the plan and the rooms of the API. `Tests/Fleet/page` runs it."""
import pathlib
import unittest

import pages

FILE = pathlib.Path(__file__).with_name("berlin.venue.toml")


def setUpModule():
    global page, ada, pia
    page = pages.Page()
    try:
        page.up()
        page.servers.sql("update device set room = name, floor = 0 where name <> 'door'; update device set room = 'attic' where name = 'door';"
                         "update beacon set room = 'shop' where minor between 10 and 300")
        ada, pia = (pages.Client(page.socket, address=f"192.0.2.{number}") for number in (1, 2))
        assert ada.sign_in("ada")[0] == pia.sign_in("pia")[0] == 200
    except BaseException:
        page.down()
        raise


def tearDownModule():
    page.down()


def venue(*arguments):
    """Runs the command, and returns its exit code, its lines, and its errors."""
    result = page.hub("admin", "venue", *map(str, arguments))
    return result.returncode, result.stdout.splitlines(), result.stderr


class Command(unittest.TestCase):
    def setUp(self):
        self.file = page.servers.folder / "museum.toml"
        venue("berlin", "--remove")

    def test_a_venue_is_stored_listed_replaced_and_removed(self):
        self.assertEqual(venue("berlin"), (0, ["berlin: no venue is stored; \"beaconmon-hub admin venue berlin FILE\" stores one"], ""))
        missing = "warning: no place has the id or the title \"attic\", which is the room of a device; add a place to the venue"
        self.assertEqual(venue("berlin", FILE), (0, ["berlin: stored venue alexanderplatz: 2 levels, 2 beacons, 4 places", missing], ""))
        code, lines, _ = venue("berlin")
        self.assertEqual((code, lines[0].split(", stored at")[0], lines[1:]), (0, "berlin: venue alexanderplatz: 2 levels, 2 beacons, 4 places", [missing]))
        self.file.write_text("format = 1\n")
        self.assertEqual(venue("berlin", self.file)[0], 0)
        self.assertIn("venue museum: 1 level, 0 beacons, 0 places", venue("berlin")[1][0])
        self.assertEqual(venue("berlin", "--remove"), (0, ["berlin: the venue is removed"], ""))
        self.assertEqual(venue("berlin", "--remove"), (0, ["berlin: no venue is stored"], ""))
        audit = page.hub("admin", "audit", "--last", "3").stdout.splitlines()
        self.assertEqual([line.split("  ")[2:5] for line in audit],
                         [["remove venue", "berlin", "museum"], ["store venue", "berlin", "museum"], ["store venue", "berlin", "alexanderplatz"]])

    def test_a_faulty_file_is_refused_with_its_lines_as_by_a_device_and_nothing_is_stored(self):
        self.file.write_text("format = 1\n[[place]]\nid = \"hall\"\nlevel = \"attic\"\nposition = [1]\n")
        code, lines, errors = venue("berlin", self.file)
        self.assertEqual((code, lines), (64, []))
        self.assertRegex(errors, r"museum\.toml:4(:\d+)?: .*attic")
        self.assertRegex(errors, r"museum\.toml:5(:\d+)?: .*position")
        self.file.write_text("#" * (1 << 20) + "\n")
        self.assertRegex(venue("berlin", self.file)[2], "1 MiB|1048576|1,048,576")
        self.file.unlink()
        self.assertRegex(venue("berlin", self.file)[2], "cannot be read: No such file or directory; check the path")
        self.assertIn("no venue is stored", venue("berlin")[1][0])

    def test_a_warning_names_its_line_and_the_venue_is_stored(self):
        self.file.write_text("format = 1\ncolour-of-walls = \"x\"\n")
        code, lines, _ = venue("berlin", self.file)
        self.assertEqual(code, 0)
        self.assertRegex(lines[0], r"museum\.toml:2(:\d+)?: warning: .*colour-of-walls")

    def test_an_unknown_site_and_a_file_to_remove_are_refused(self):
        for arguments in (("rome",), ("rome", FILE), ("rome", "--remove")):
            code, lines, errors = venue(*arguments)
            self.assertEqual((code, lines), (64, []))
            self.assertIn("there is no site rome; enrol a device there first", errors)
        self.assertIn("--remove deletes the stored venue; leave the file out", venue("berlin", FILE, "--remove")[2])


class Reading(unittest.TestCase):
    def setUp(self):
        self.assertEqual(venue("berlin", FILE)[0], 0)

    def test_a_member_of_the_site_reads_the_plan_and_another_person_does_not(self):
        status, answer = ada.get("plan?site=berlin")
        self.assertEqual((status, [level["level"] for level in answer["levels"]]), (200, ["ground", "first"]))
        ground = answer["levels"][0]
        self.assertEqual((len(ground["walkable"]), len(ground["voids"]), len(ground["walls"]), len(ground["beacons"])), (1, 2, 2, 2))
        self.assertEqual([place["rooms"] for place in ground["places"]],
                         [[{"name": name} for name in names] for names in (("hall", "entrance hall", "eingangshalle"), ("sales", "shop", "laden"))])
        self.assertEqual(pia.get("plan?site=berlin"), pia.get("plan?site=nowhere"))
        self.assertEqual(pia.get("rooms?site=berlin")[0], 404)
        self.assertEqual(pia.get("plan?site=paris"), (200, {"levels": []}))

    def test_the_list_of_sites_has_the_time_of_the_plan_which_another_one_changes(self):
        def stored(client):
            return [site["plan"] for site in client.get("sites")[1]["sites"]]
        before = stored(ada)[0]
        self.assertEqual(stored(pia), [None])
        venue("berlin", FILE)
        self.assertGreater(stored(ada)[0], before)

    def test_rooms_have_their_devices_and_the_number_of_their_tags(self):
        rooms = ada.get("rooms?site=berlin")[1]["rooms"]
        self.assertEqual([(room["room"], room["tags"]) for room in rooms], [("attic", 0), ("hall", 1), ("shop", 291)])
        self.assertEqual(rooms[1]["devices"], [{"device": "hall", "floor": 0, "state": "problem"}])
        self.assertEqual([room["room"] for room in ada.get("rooms?site=berlin&beyond=hall")[1]["rooms"]], ["shop"])
        page.servers.sql("update device set revoked_at = now() where name = 'door'")
        self.addCleanup(page.servers.sql, "update device set revoked_at = null")
        self.assertEqual([room["room"] for room in ada.get("rooms?site=berlin")[1]["rooms"]], ["hall", "shop"])

    def test_tags_of_a_room_come_page_by_page(self):
        self.assertEqual([tag["minor"] for tag in ada.get("tags?site=berlin&room=hall")[1]["tags"]], [5])
        first = ada.get("tags?site=berlin&room=shop")[1]
        second = ada.get(f"tags?site=berlin&room=shop&beyond={first['next']}")[1]
        self.assertEqual([len(first["tags"]), len(second["tags"])], [200, 91])
        self.assertEqual(ada.get("tags?site=berlin&room=%27+or+1%3D1")[1]["tags"], [])
        for room in ("", "x" * 65, "%00"):
            self.assertEqual(ada.get(f"tags?site=berlin&room={room}")[0], 400, room)
