"""Tests shares on a private PostgreSQL: the functions that workers call, the API of people, and the remaining rows. `Tests/Fleet/page` runs it."""
import functools
import json
import unittest
import uuid

import page as fixture
import pages

setUpModule, tearDownModule, client = fixture.setUpModule, fixture.tearDownModule, fixture.client
TAG = {"site": "berlin", "uuid": pages.TAG, "major": 1, "minor": 5}
PLACE = {"latitude": 52.5219, "longitude": 13.4132, "level": "first"}


def sql(text):
    return fixture.page.servers.sql(text)


@functools.cache
def device(name, site="berlin"):
    return int(sql(f"select device_id from device join site s using (site_id) where device.name = '{name}' and s.name = '{site}'")[0][0])


def send(name, *messages, site="berlin", number=1, journal=1, lateness=0):
    """Stores messages of a device as a worker does."""
    key = device(name, site)
    texts = ", ".join("'" + json.dumps(message).replace("'", "''") + "'" for message in messages)
    numbers = ", ".join(str(number + index) for index in range(len(messages)))
    count = len(messages)
    sql(f"select fleet_shares_from(array_fill({key}, array[{count}]), array_fill({lateness}::int8, array[{count}]), "
        f"array_fill('{journal:032}'::uuid, array[{count}]), array[{numbers}]::int8[], array[{texts}])")


def offer_message(identity, *recipients, remaining=600_000, purpose="lunch"):
    return {"kind": "offer", "id": identity, "purpose": purpose, "remaining": remaining, "recipients": [{"name": r} for r in recipients]}


def offer(name, *recipients, site="berlin", remaining=600_000, identity=None, **options):
    identity = identity or str(uuid.uuid4())
    send(name, offer_message(identity, *recipients, remaining=remaining), site=site, **options)
    return identity


def position(identity, **place):
    return {"kind": "position", "id": identity, "position": PLACE | place}


def notice(name, site="berlin"):
    """Returns the newest notice that a device gets."""
    rows = sql(f"select convert_from(payload, 'UTF8') from device_message where device_id = {device(name, site)} and kind = 2")
    assert len(rows) == 1, rows
    return json.loads(rows[0][0])


def shares_of(person):
    status, answer = client(person).get("shares")
    assert status == 200, answer
    return {share["id"]: share for share in answer["shares"]}


def answer(person, identity, accepted, site="berlin"):
    return client(person).post("share/answer", {"site": site, "id": identity, "accepted": accepted})[0]


class Shares(unittest.TestCase):
    def tearDown(self):
        sql("select fleet_end_share(share_id, 'test', '') from share; delete from share_log; delete from beacon_owner")

    def test_a_position_is_there_only_between_acceptance_and_end(self):
        identity = offer("door", "ada")
        self.assertEqual(shares_of("ada")[identity]["state"], "offered")
        send("door", position(identity), number=2)
        self.assertEqual(sql("select position from share"), [[""]], "nobody has accepted")
        self.assertEqual(answer("ada", identity, True), 204)
        self.assertIsNone(shares_of("ada")[identity]["place"])
        send("door", position(identity), number=3)
        self.assertEqual(shares_of("ada")[identity]["place"]["latitude"], PLACE["latitude"])
        send("door", position(identity, latitude=1), number=2)
        self.assertEqual(shares_of("ada")[identity]["place"]["latitude"], PLACE["latitude"], "an older position comes late")
        send("door", {"kind": "end", "id": identity}, number=4)
        self.assertEqual(shares_of("ada"), {})
        left = sql("select (select count(*) from share) + (select count(*) from share_answer) + (select count(*) from share_recipient)")
        self.assertEqual(left, [["0"]])
        self.assertNotIn("52.52", json.dumps(sql("select share_log::text from share_log union all select convert_from(payload, 'UTF8') from device_message")))

    def test_a_device_gets_the_position_and_the_end_in_its_notice(self):
        identity = offer("door", "device:hall", "ada")
        self.assertEqual([o["id"] for o in notice("hall")["offers"]], [identity])
        self.assertEqual([r["state"] for r in notice("door")["shares"][0]["recipients"]], ["offered", "offered"])
        send("hall", {"kind": "answer", "id": identity, "accepted": True})
        send("door", position(identity), number=2)
        self.assertEqual(notice("hall")["offers"][0]["latitude"], PLACE["latitude"])
        self.assertEqual({r["name"]: r["state"] for r in notice("door")["shares"][0]["recipients"]}, {"ada": "offered", "device:hall": "accepted"})
        send("hall", {"kind": "answer", "id": identity, "accepted": False}, number=2)
        self.assertEqual(notice("hall")["offers"], [])
        self.assertEqual(sql("select position from share"), [[""]], "the last reader has left")
        send("door", {"kind": "end", "id": identity}, number=3)
        self.assertEqual((notice("hall")["offers"], notice("door")["shares"]), ([], []))

    def test_a_share_that_has_ended_does_not_come_back(self):
        identity = offer("door", "ada")
        send("door", {"kind": "end", "id": identity}, number=2)
        offer("door", "ada", identity=identity)
        self.assertEqual(sql("select count(*) from share"), [["0"]])
        self.assertEqual(notice("door")["shares"], [])

    def test_nothing_expired_is_returned_and_the_sweep_deletes_it(self):
        identity = offer("door", "ada", "device:hall")
        answer("ada", identity, True)
        send("hall", {"kind": "answer", "id": identity, "accepted": True})
        send("door", position(identity), number=2)
        sql("update share set ends_at = now() - interval '1 millisecond'")
        self.assertEqual(shares_of("ada"), {})
        self.assertEqual(answer("ada", identity, True), 404)
        send("door", position(identity), number=3)
        sql("select fleet_sweep_shares()")
        self.assertEqual(sql("select count(*) from share"), [["0"]])
        self.assertEqual(notice("hall")["offers"], [])
        self.assertEqual(sql("select action, actor, detail from share_log order by log_id desc limit 1"), [["end", "hub", "the time is over"]])

    def test_an_offer_lasts_a_day_at_most_and_a_late_one_less(self):
        offer("door", "ada", remaining=10**12)
        offer("door", "ada", remaining=600_000, lateness=500_000, number=2)
        offer("door", "ada", remaining=600_000, lateness=600_000, number=3)
        self.assertEqual(sql("select round(extract(epoch from ends_at - begun_at)) from share order by ends_at"), [["100"], ["86400"]])

    def test_a_foreign_device_changes_no_share(self):
        identity = offer("door", "device:hall", "ada")
        answer("ada", identity, True)
        for name, site in (("hall", "berlin"), ("shop", "berlin"), ("door", "paris")):
            send(name, position(identity, latitude=1), {"kind": "end", "id": identity}, site=site)
        send("shop", {"kind": "answer", "id": identity, "accepted": True}, number=9)
        send("hall", {"kind": "answer", "id": identity, "accepted": True}, site="paris", number=9)
        offer("hall", "device:shop", identity=identity, number=10)
        self.assertEqual(sql("select position, (select count(*) from share_answer) from share"), [["", "1"]])
        self.assertEqual([r["name"] for r in notice("door")["shares"][0]["recipients"]], ["ada", "device:hall"])

    def test_a_share_stays_at_its_site(self):
        identity = offer("door", "pia", "device:door", "role:viewer", "root")
        states = {r["name"]: r["state"] for r in notice("door")["shares"][0]["recipients"]}
        self.assertEqual(states, {"device:door": "unknown", "pia": "unknown", "role:viewer": "offered", "root": "offered"})
        self.assertEqual(shares_of("pia"), {})
        # The answer for a foreign site is that for an unknown one, and one for a wrong site of the own is not found.
        self.assertEqual((answer("pia", identity, True), answer("pia", identity, True, "paris"), answer("pia", identity, True, "nowhere")), (404, 404, 404))
        self.assertEqual(set(shares_of("otto")), {identity}, "a role includes the higher ones")

    def test_a_revoked_device_shares_nothing(self):
        identity = offer("shop", "ada")
        answer("ada", identity, True)
        send("shop", position(identity), number=2)
        try:
            sql("update device set revoked_at = now() where name = 'shop'")
            self.assertEqual(shares_of("ada"), {})
            sql("select fleet_sweep_shares()")
            self.assertEqual(sql("select count(*) from share"), [["0"]])
        finally:
            sql("update device set revoked_at = null")

    def test_the_owner_of_a_tag_shares_its_room(self):
        share = TAG | {"recipients": "olga device:hall", "purpose": "my bag", "seconds": 600}
        self.assertEqual(client("ada").post("share", share)[0], 404, "the tag is nobody's")
        self.assertEqual(client("ada").post("tag/owner", TAG | {"person": "ada"})[0], 403)
        self.assertEqual(client("olga").post("tag/owner", TAG | {"person": "pia"})[0], 404, "a person of another site")
        self.assertEqual(client("olga").post("tag/owner", TAG | {"person": "ada"})[0], 204)
        self.assertEqual(client("otto").post("share", share)[0], 404)
        self.assertEqual(client("ada").post("share", share)[0], 204)
        identity, own = next(iter(shares_of("ada").items()))
        self.assertEqual((own["state"], own["place"]["room"], [r["state"] for r in own["recipients"]]), ("own", "hall", ["offered", "offered"]))
        self.assertIsNone(shares_of("olga")[identity]["place"])
        self.assertEqual(answer("olga", identity, True), 204)
        self.assertEqual(shares_of("olga")[identity]["place"]["room"], "hall")
        send("hall", {"kind": "answer", "id": identity, "accepted": True})
        self.assertEqual(notice("hall")["offers"][0]["room"], "hall")
        try:
            sql("update beacon set room = 'door' where major = 1 and minor = 5; select fleet_tags_moved(array[(select beacon_id from share)])")
            self.assertEqual(notice("hall")["offers"][0]["room"], "door")
        finally:
            sql("update beacon set room = 'hall' where major = 1 and minor = 5")
        self.assertEqual(client("olga").post("share/end", {"site": "berlin", "id": identity})[0], 404, "the share of another one")
        self.assertEqual(client("ada").post("share/end", {"site": "berlin", "id": identity})[0], 204)
        self.assertEqual((shares_of("olga"), notice("hall")["offers"]), ({}, []))

    def test_another_owner_of_a_tag_ends_the_shares_of_the_first(self):
        client("olga").post("tag/owner", TAG | {"person": "ada"})
        client("ada").post("share", TAG | {"recipients": "olga", "purpose": "my bag", "seconds": 600})
        self.assertEqual(len(shares_of("ada")), 1)
        self.assertEqual(client("olga").post("tag/owner", TAG | {"person": "otto"})[0], 204)
        self.assertEqual((shares_of("ada"), shares_of("olga")), ({}, {}))

    def test_shares_are_limited(self):
        send("door", *(offer_message(str(uuid.uuid4()), "ada") for _ in range(10)))
        self.assertEqual(sql("select count(*) from share"), [["8"]])
        identities = [str(uuid.uuid4()) for _ in range(80)]
        send("hall", *(message for identity in identities for message in (offer_message(identity, "ada"), {"kind": "end", "id": identity})))
        self.assertEqual(sql("select count(*) from share_log where actor = 'device:hall' and action = 'offer'"), [["60"]])

    def test_a_notice_fits_a_message(self):
        quotes = "\"" * 96
        for name in ("door", "shop"):
            identities = [str(uuid.uuid4()) for _ in range(8)]
            recipients = ("device:hall", "root", *(letter * 64 for letter in "abcdef"))
            send(name, *(offer_message(identity, *recipients, purpose="\"" * 200) for identity in identities))
            send("hall", *({"kind": "answer", "id": identity, "accepted": True} for identity in identities), number=ord(name[0]) * 100)
            send(name, *(position(identity, level=quotes, venue=quotes, place=quotes) for identity in identities), number=100)
        self.assertGreater(len(notice("hall")["offers"]), 7)

    def test_the_log_has_each_use_and_the_owner_of_the_site_reads_it(self):
        identity = offer("door", "ada")
        answer("ada", identity, True)
        send("door", position(identity), number=2)
        for _ in range(3):
            shares_of("ada")
        sql("update share_answer set read_at = now() - interval '11 minutes'")
        shares_of("ada")
        answer("ada", identity, False)
        self.assertEqual(shares_of("ada"), {})
        send("door", {"kind": "end", "id": identity}, number=3)
        self.assertEqual(client("otto").get("share-log?site=berlin")[0], 403)
        changes = client("olga").get("share-log?site=berlin")[1]["changes"]
        self.assertEqual([(c["actor"], c["action"]) for c in reversed(changes) if c["share"] == identity], [
            ("device:door", "offer"), ("ada", "accept"), ("ada", "read"), ("ada", "read"), ("ada", "decline"), ("device:door", "end")])

    def test_an_open_page_is_told_of_changes(self):
        ada = pages.Stream(client("ada"))
        ada.next("heartbeat")
        identity = offer("door", "ada")
        self.assertEqual(ada.next("share"), {})
        send("door", {"kind": "end", "id": identity}, number=2)
        self.assertEqual(ada.next("share"), {})
        ada.close()

    def test_a_person_who_is_removed_reads_and_shares_nothing(self):
        fixture.page.hub("admin", "person", "add", "temp", input=f"{pages.PASSWORD}\n", check=True)
        fixture.page.hub("admin", "person", "grant", "temp", "berlin", "viewer", check=True)
        identity = offer("door", "temp")
        self.assertEqual(answer("temp", identity, True), 204)
        send("door", position(identity), number=2)
        fixture.page.hub("admin", "person", "remove", "temp", check=True)
        self.assertEqual(sql("select position, position_at, (select count(*) from share_answer) from share"), [["", "", "0"]])
        self.assertNotIn("accepted", json.dumps(notice("door")["shares"]), "the device learns of it at once")
        self.assertEqual(client("temp").get("shares")[0], 401)
