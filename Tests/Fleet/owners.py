"""Tests changes of roles that happen at the same moment, and exports, on a private PostgreSQL. `Tests/Fleet/page` runs it."""
import concurrent.futures
import json
import unittest

import pages


class Owners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = pages.Page()
        cls.addClassCleanup(cls.page.down)
        cls.page.up()

    def owner(self, name):
        """Adds an owner, and returns the client, which is signed in."""
        self.page.hub("admin", "person", "add", name, "--no-password", check=True)
        self.page.hub("admin", "person", "grant", name, "berlin", "owner", check=True)
        client = pages.Client(self.page.socket, headers={"X-User": name})
        client.token = client.get("session")[1]["formToken"]
        return client

    def test_an_owner_who_is_being_revoked_cannot_take_the_role_back(self):
        uma = self.owner("uma")
        with self.page.transaction("delete from person_role using person p where p.person_id = person_role.person_id and p.name = 'uma'"):
            # The page still reads the role, and the change waits for the end of the transaction.
            changes = [("grant", {"site": "berlin", "person": "uma", "role": "owner"}),
                       ("tag/name", {"site": "berlin", "uuid": pages.TAG, "major": 1, "minor": 8, "name": "x"})]
            with concurrent.futures.ThreadPoolExecutor() as pool:
                answers = list(pool.map(lambda change: uma.post(*change), changes))
        self.assertEqual([(status, answer["code"]) for status, answer in answers], [(403, "role")] * 2)
        self.assertEqual(uma.get("session")[1]["sites"], [])

    def test_of_two_owners_who_revoke_each_other_at_once_one_is_revoked(self):
        owners = {name: self.owner(name) for name in ("una", "ute")}
        # Both wait for this transaction, then each locks its own role and waits for that of the other.
        with self.page.transaction("update person_role set granted_at = granted_at"), concurrent.futures.ThreadPoolExecutor() as pool:
            answers = list(pool.map(lambda name: owners[name].post("grant", {
                "site": "berlin", "person": "una" if name == "ute" else "ute", "role": ""})[0], owners))
        self.assertEqual(sorted(answers), [204, 403])

    def test_an_export_of_an_unknown_identity_fails_and_is_in_the_audit_log(self):
        for kind, identity in (("person", "nobody"), ("person", "Nobody"), ("device", "berlin.none"), ("tag", f"{pages.TAG}/9/9")):
            export = self.page.hub("admin", "export", kind, identity)
            self.assertEqual((export.returncode, export.stdout), (64, ""))
            self.assertEqual(export.stderr.strip(), f"Error: the database has nothing about the {kind} {identity}; check its name")
        self.assertEqual(self.page.hub("admin", "audit", check=True).stdout.count("export person"), 2)
        self.assertEqual(len(json.loads(self.page.hub("admin", "export", "person", "ada", check=True).stdout)["tables"]["person"]), 1)
