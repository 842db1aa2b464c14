"""Tests a program that uses beaconmond without a beacon.

beaconmon-testbed ../scenarios/museum.toml --speed 20 -- python3 -m unittest -v
"""

import os
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
UUID = "7b1f63e2-0a5c-4d7e-9c4f-52a1d0c3b003"


class NearestTests(unittest.TestCase):
    def setUp(self):
        self.program = subprocess.Popen(["/usr/bin/python3", f"{HERE}/nearest.py", UUID], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.program.communicate)
        self.addCleanup(self.program.kill)

    def test_names_the_rooms_as_the_guest_walks_through_them(self):
        rooms = []
        for line in self.program.stdout:
            beacon, proximity = line.split()
            if proximity in ("immediate", "near") and rooms[-1:] != [beacon]:
                rooms.append(beacon)
            if rooms[-1:] == ["1/4"] and len(rooms) >= 3:
                break
        self.assertEqual(rooms[-3:], ["1/2", "1/3", "1/4"])


class DeniedTests(unittest.TestCase):
    """The bus is private, so the test may revoke the permission of its own user."""

    def setUp(self):
        user = str(os.getuid())
        subprocess.run(["beaconmon", "privacy", "revoke", user], check=True, stdout=subprocess.DEVNULL)
        self.addCleanup(subprocess.run, ["beaconmon", "privacy", "reset", user], check=True, stdout=subprocess.DEVNULL)

    def test_says_who_could_allow_it(self):
        program = subprocess.run(["/usr/bin/python3", f"{HERE}/nearest.py", UUID], capture_output=True, text=True)
        self.assertEqual(program.returncode, 1)
        self.assertIn("beaconmon privacy grant", program.stderr)


if __name__ == "__main__":
    unittest.main()
