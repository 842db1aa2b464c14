"""Tests what a revoked role or device does to shares, on a private PostgreSQL. `Tests/Fleet/page` runs it."""
import contextlib
import unittest

import sharing
from sharing import PLACE, TAG, answer, client, device, notice, offer, position, send, shares_of, sql

setUpModule, tearDownModule = sharing.setUpModule, sharing.tearDownModule


@contextlib.contextmanager
def role(person, other):
    """Gives a person another role in Berlin for a while; an empty one removes it."""
    before = sql(f"select role from person_role join person using (person_id) where name = '{person}'")[0][0]
    assert client("olga").post("grant", {"site": "berlin", "person": person, "role": other})[0] == 204
    try:
        yield
    finally:
        assert client("olga").post("grant", {"site": "berlin", "person": person, "role": before})[0] == 204


class Rights(unittest.TestCase):
    tearDown = sharing.Shares.tearDown

    def test_a_role_is_looked_up_at_each_read(self):
        identity = offer("door", "role:operator")
        self.assertEqual((shares_of("ada"), answer("ada", identity, True)), ({}, 404))
        self.assertEqual(answer("otto", identity, True), 204)
        send("door", position(identity), number=2)
        self.assertIsNotNone(shares_of("otto")[identity]["place"])
        try:
            sql("update person_role r set role = 'viewer' from person p where p.person_id = r.person_id and p.name = 'otto'")
            self.assertEqual(shares_of("otto"), {})
        finally:
            sql("update person_role r set role = 'operator' from person p where p.person_id = r.person_id and p.name = 'otto'")

    def test_the_share_of_an_owner_without_a_role_is_over_at_once(self):
        client("olga").post("tag/owner", TAG | {"person": "ada"})
        client("ada").post("share", TAG | {"recipients": "olga device:hall root", "purpose": "my bag", "seconds": 600})
        identity = next(iter(shares_of("ada")))
        self.assertEqual(answer("olga", identity, True), 204)
        send("hall", {"kind": "answer", "id": identity, "accepted": True})
        self.assertEqual(shares_of("olga")[identity]["place"]["room"], "hall")
        with role("ada", ""):
            self.assertEqual((shares_of("olga"), shares_of("root")), ({}, {}))
            self.assertEqual(answer("root", identity, True), 404, "nobody accepts it any more")
            sql("select fleet_sweep_shares()")
            self.assertEqual(sql("select count(*) from share"), [["0"]])
            self.assertEqual(notice("hall")["offers"], [])
        self.assertEqual((shares_of("ada"), shares_of("olga")), ({}, {}), "a role that is granted again brings nothing back")

    def test_an_administrator_shares_a_tag_without_a_role(self):
        client("olga").post("tag/owner", TAG | {"person": "root"})
        self.assertEqual(client("root").post("share", TAG | {"recipients": "olga", "purpose": "my bag", "seconds": 600})[0], 204)
        sql("select fleet_sweep_shares()")
        self.assertEqual([s["state"] for s in shares_of("olga").values()], ["offered"])

    def test_an_acceptance_and_the_position_end_with_the_role_of_the_reader(self):
        identity = offer("door", "otto", "ada")
        self.assertEqual(answer("otto", identity, True), 204)
        send("door", position(identity), number=2)
        with role("otto", ""):
            sql("select fleet_sweep_shares()")
            self.assertEqual(sql("select position, position_at, (select count(*) from share_answer) from share"), [["", "", "0"]])
            self.assertEqual({r["name"]: r["state"] for r in notice("door")["shares"][0]["recipients"]}, {"ada": "offered", "otto": "offered"})
            number = sql(f"select max(number) from device_message where device_id = {device('door')}")
            sql("select fleet_sweep_shares()")
            self.assertEqual(sql(f"select max(number) from device_message where device_id = {device('door')}"), number, "one notice is enough")
        self.assertEqual(shares_of("otto")[identity]["state"], "offered", "a role that is granted again needs another answer")
        log = sql("select actor, action, detail from share_log where action = 'decline'")
        self.assertEqual(log, [["otto", "decline", "no longer a recipient"]])

    def test_one_of_two_readers_who_loses_the_role_leaves_the_position_to_the_other(self):
        identity = offer("door", "otto", "ada")
        self.assertEqual((answer("otto", identity, True), answer("ada", identity, True)), (204, 204))
        send("door", position(identity), number=2)
        with role("otto", ""):
            sql("select fleet_sweep_shares()")
            self.assertEqual(shares_of("ada")[identity]["place"]["latitude"], PLACE["latitude"])
            self.assertEqual({r["name"]: r["state"] for r in notice("door")["shares"][0]["recipients"]}, {"ada": "accepted", "otto": "offered"})

    def test_the_acceptance_of_a_revoked_device_ends(self):
        identity = offer("door", "device:shop")
        send("shop", {"kind": "answer", "id": identity, "accepted": True})
        send("door", position(identity), number=2)
        try:
            sql("update device set revoked_at = now() where name = 'shop'; select fleet_sweep_shares()")
            self.assertEqual(sql("select position from share"), [[""]])
            self.assertEqual([r["state"] for r in notice("door")["shares"][0]["recipients"]], ["offered"])
        finally:
            sql("update device set revoked_at = null")
