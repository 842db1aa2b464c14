"""Tests the page of the hub and its API on a private PostgreSQL: signing in, roles, limits, and the stream. `Tests/Fleet/page` runs it."""
import contextlib
import http.client
import json
import pathlib
import select
import socket
import subprocess
import time
import unittest

import pages

TAG = f"uuid={pages.TAG}&major=1&minor=5"
READS = ("devices", "tags", "rooms", "plan", f"tag?{TAG}", f"moves?{TAG}", f"path?{TAG}", "visits", "events", "people", "audit")


def setUpModule():
    global page
    page = pages.Page()
    try:
        page.up()
    except BaseException as error:
        if isinstance(error, subprocess.CalledProcessError):
            print(error.stderr)
        page.down()
        raise


def tearDownModule():
    page.down()


def client(person=None, address="192.0.2.1"):
    """Returns a client, which is signed in if it is given a person.

    A person signs in once, because a password costs a tenth of a second.
    """
    if person in page.clients:
        return page.clients[person]
    result = pages.Client(page.socket, address=address)
    if person:
        assert result.sign_in(person)[0] == 200
        page.clients[person] = result
    return result


def rows_of(client, path):
    """Returns the rows of all pages of a list."""
    rows, beyond, name = [], "", path.split("?")[0]
    while True:
        status, answer = client.get(f"{path}{'&' if '?' in path else '?'}{beyond and f'beyond={beyond}'}")
        assert status == 200, answer
        rows += answer[name]
        if "next" not in answer:
            return rows
        beyond = answer["next"]


class SigningIn(unittest.TestCase):
    def test_a_right_password_makes_a_session_and_signing_out_ends_it(self):
        ada = client(address="192.0.2.8")
        ada.sign_in("ada")
        status, session = ada.get("session")
        self.assertEqual((status, session["person"], session["sites"]), (200, "ada", [{"site": "berlin", "role": "viewer"}]))
        cookie = ada.headers["Cookie"]
        self.assertEqual(ada.post("logout", {})[0], 204)
        ada.headers["Cookie"] = cookie
        self.assertEqual(ada.get("session")[0], 401)

    def test_a_wrong_name_and_a_wrong_password_get_the_same_answer_after_the_same_work(self):
        took = {}
        for person in ("ada", "nobody"):
            began = time.monotonic()
            answer = client(address="192.0.2.2").sign_in(person, "wrong horse battery")
            took[person] = time.monotonic() - began
            self.assertEqual(answer, (401, {"error": "the name or the password is wrong", "code": "password"}))
        self.assertLess(max(took.values()) / min(took.values()), 4, took)

    def test_a_client_has_five_attempts_a_minute_whatever_it_sends(self):
        attempts = ("ada", "ada'--", "", "x", "pia", "ada", "otto", "ada")
        answers = [client(address="192.0.2.3").sign_in(person, "wrong")[0] for person in attempts]
        # A text that no person can have as a name is refused unread.
        self.assertEqual(answers, [401] * 7 + [429])
        self.assertEqual(client(address="192.0.2.3").sign_in("ada")[0], 429)
        self.assertEqual(client(address="192.0.2.4").sign_in("ada")[0], 200)

    def test_many_attempts_at_once_wait_or_are_refused(self):
        sockets = []
        body = json.dumps({"person": "pia", "password": "wrong horse battery"})
        for number in range(40):
            connection = pages.Client(page.socket, address=f"198.51.100.{number}").connect(30)
            connection.request("POST", "/api/login", body, {
                "Host": "fleet.example", "Origin": "https://fleet.example", "Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{number}"})
            sockets.append(connection)
        answers = []
        for connection in sockets:
            with contextlib.closing(connection.getresponse()) as answer:
                answers.append(answer.status)
        self.assertEqual(set(answers), {401, 503})
        self.assertEqual(client(address="192.0.2.5").sign_in("pia")[0], 200)
        memory = int([line for line in pathlib.Path(f"/proc/{page.processes[0].pid}/status").read_text().splitlines() if "VmHWM" in line][0].split()[1])
        self.assertLess(memory, 200_000, "kB")

    def test_a_password_that_changes_ends_the_sessions(self):
        page.hub("admin", "person", "add", "eve", input=f"{pages.PASSWORD}\n", check=True)
        eve = client("eve", address="192.0.2.6")
        with page.transaction("update person set password = 'x' where name = 'eve'"):
            # The old password is still the one that is verified.
            self.assertEqual(client(address="192.0.2.6").sign_in("eve")[0], 401)
        page.hub("admin", "person", "password", "eve", input="another horse battery\n", check=True)
        self.assertEqual(eve.get("session")[0], 401)
        page.hub("admin", "person", "remove", "eve", check=True)
        self.assertEqual(client(address="192.0.2.6").sign_in("eve", "another horse battery")[0], 401)


class Roles(unittest.TestCase):
    def test_nothing_is_read_without_a_session(self):
        for path in (*READS, "sites", "search?text=1", "session", "live"):
            self.assertEqual(client().get(path)[0], 401, path)

    def test_a_person_of_one_site_reads_nothing_of_another(self):
        ada, pia = client("ada"), client("pia")
        for path in READS:
            separator = "&" if "?" in path else "?"
            foreign = ada.get(f"{path}{separator}site=paris")
            self.assertEqual(foreign, ada.get(f"{path}{separator}site=nowhere"), path)
            self.assertEqual(foreign[0], 404, path)
        self.assertEqual([[site["site"] for site in viewer.get("sites")[1]["sites"]] for viewer in (ada, pia)], [["berlin"], ["paris"]])
        for text in (pages.TAG, "5", "1/5", "2/5", pages.TAG[:6]):
            self.assertLessEqual({tag["site"] for tag in ada.get(f"search?text={text}")[1]["tags"]}, {"berlin"}, text)
        self.assertEqual(ada.get("search?text=2/5")[1]["tags"], [])
        self.assertEqual(len(client("root").get("search?text=2/5")[1]["tags"]), 1)

    def test_each_role_has_its_requests(self):
        name = {"site": "berlin", "uuid": pages.TAG, "major": 1, "minor": 9, "name": "<b>Cart</b> 'x'"}
        self.assertEqual([client(person).post("tag/name", name)[0] for person in ("ada", "otto")], [403, 204])
        found = client("ada").get("search?text=%3Cb%3EcA")[1]["tags"]
        self.assertEqual([tag["name"] for tag in found], ["<b>Cart</b> 'x'"])
        grant = {"site": "berlin", "person": "pia", "role": "viewer"}
        self.assertEqual([client(person).post("grant", grant)[0] for person in ("ada", "otto", "olga")], [403, 403, 204])
        self.assertEqual([site["site"] for site in client("pia").get("sites")[1]["sites"]], ["berlin", "paris"])
        olga = client("olga")
        self.assertEqual(olga.post("grant", {"site": "berlin", "person": "pia", "role": ""})[0], 204)
        self.assertEqual([change["action"] for change in olga.get("audit?site=berlin")[1]["changes"]][:3], ["revoke", "grant", "name tag"])
        self.assertEqual(olga.post("grant", {"site": "paris", "person": "olga", "role": "owner"})[0], 404)

    def test_an_administrator_is_listed_and_gets_no_role(self):
        olga = client("olga")
        people = {row["person"]: row for row in olga.get("people?site=berlin")[1]["people"]}
        self.assertEqual((people["root"]["isAdministrator"], people["root"]["role"], people["ada"]["isAdministrator"]), (True, "owner", False))
        self.assertEqual(olga.post("grant", {"site": "berlin", "person": "root", "role": "viewer"})[1]["code"], "administrator")
        self.assertEqual(olga.post("grant", {"site": "berlin", "person": "ada"})[1]["code"], "role")
        for arguments in (("grant", "root", "berlin", "viewer"), ("revoke", "root", "berlin")):
            refused = page.hub("admin", "person", *arguments)
            self.assertIn("root is an administrator", refused.stderr)
            self.assertNotEqual(refused.returncode, 0)

    def test_a_change_needs_the_page_of_the_session(self):
        otto = client("otto")
        name = {"site": "berlin", "uuid": pages.TAG, "major": 1, "minor": 8, "name": "x"}
        self.assertEqual(otto.post("tag/name", name, X_Form_Token="")[1]["code"], "form-token")
        self.assertEqual(otto.post("tag/name", name, X_Form_Token=client("ada").token)[1]["code"], "form-token")
        self.assertEqual(otto.post("tag/name", name, Origin="https://evil.example")[1]["code"], "origin")
        self.assertEqual(otto.post("tag/name", name, Content_Type="text/plain")[0], 415)
        self.assertEqual(otto.send("GET", "/api/tag/name")[0], 405)
        self.assertEqual(otto.send("GET", "/", headers={"Host": "evil.example"})[0], 403)


class Reading(unittest.TestCase):
    def test_the_pages_of_a_list_have_each_row_once(self):
        ada = client("ada")
        tags = rows_of(ada, "tags?site=berlin")
        self.assertEqual((len(tags), len({tag["minor"] for tag in tags})), (450, 450))
        events = rows_of(ada, "events?site=berlin")
        self.assertEqual([len(events), [event["id"] for event in events]], [270, sorted((event["id"] for event in events), reverse=True)])

    def test_devices_have_their_state_and_their_problems(self):
        devices = {device["device"]: device for device in client("ada").get("devices?site=berlin")[1]["devices"]}
        self.assertEqual({name: device["state"] for name, device in devices.items()}, {"door": "good", "hall": "problem", "shop": "new"})
        self.assertEqual((devices["hall"]["problems"], devices["door"]["version"], devices["door"]["lag"]), (["the disk is full"], "0.1.0", 1.0))
        rollout = {"revision": 7, "state": "refused", "text": "line 3: unknown key"}
        self.assertEqual((devices["hall"]["revision"], devices["hall"]["rollout"], devices["door"]["rollout"]), (4, rollout, None))

    def test_a_site_has_its_open_alerts(self):
        (berlin,), (paris,) = (client(person).get("sites")[1]["sites"] for person in ("ada", "pia"))
        self.assertEqual(berlin["alerts"], [])
        self.assertEqual([(alert["kind"], alert["device"], alert["text"]) for alert in paris["alerts"]],
                         [("device-silent", "door", "paris.door has sent nothing")])

    def test_each_site_has_the_outages_of_the_servers_while_they_last(self):
        for change, wanted in (("insert into outage(part, cause, began_at) values ('broker', 'disk', now())", [("broker", "disk")]),
                               ("update outage set ended_at = now()", [])):
            page.servers.sql(change)
            self.assertEqual([(outage["part"], outage["cause"]) for outage in client("ada").get("sites")[1]["sites"][0]["outages"]], wanted)

    def test_a_tag_has_its_room_and_its_moves_with_reasons(self):
        ada = client("ada")
        tag = ada.get(f"tag?site=berlin&{TAG}")[1]["tags"][0]
        self.assertEqual((tag["room"], tag["device"], tag["siteTitle"]), ("hall", "door", "Berlin, Alexanderplatz"))
        moves = rows_of(ada, f"moves?site=berlin&{TAG}")
        self.assertEqual([(move["from"], move["to"], move["device"]) for move in moves], [("door", "hall", "door")] * 2 + [(None, "hall", "door")])
        self.assertEqual(moves[0]["reason"]["kind"], "appeared")

    def test_bad_arguments_are_refused_with_a_reason(self):
        ada = client("ada")
        for path in ("tags?site=berlin&beyond=x", "events?site=berlin&beyond=-1", "tag?site=berlin&uuid=x", "search?text=", f"search?text={'x' * 200}",
                     "devices", "search?text=%00", f"path?site=berlin&{TAG}&from=-1", f"path?site=berlin&{TAG}&from=1e300"):
            status, answer = ada.get(path)
            self.assertEqual((status, answer["code"]), (400, "argument"), path)
        self.assertEqual(ada.get("search?text=%27%3Bdrop+table+person--")[1]["tags"], [])
        self.assertEqual(ada.get("none")[0], 404)
        self.assertEqual(ada.get("../session")[0], 404)


class Limits(unittest.TestCase):
    def test_connections_are_limited_by_address_unless_there_is_a_proxy(self):
        for arguments, expected in (((), 48), (("--proxy", "127.0.0.1"), 60)):
            port = page.start_on_port(*page.certificate(), *arguments, host="0.0.0.0")
            with contextlib.ExitStack() as stack:
                sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(60)]
                # A connection beyond the limit is closed at once; the others wait for the client.
                time.sleep(0.5)
                ended = select.select(sockets, [], [], 0)[0]
                self.assertEqual(len(sockets) - len(ended), expected, arguments)

    def test_large_requests_are_refused(self):
        ada = client("ada")
        with contextlib.closing(ada.connect()) as connection:
            connection.sock.sendall(b"POST /api/tag/name HTTP/1.1\r\nHost: fleet.example\r\nContent-Length: 5000\r\n\r\n")
            self.assertIn(b" 413 ", connection.sock.recv(100))
        for headers in ({"X-Long": "x" * 20_000}, {f"X-{number}": "x" * 100 for number in range(99)}):
            with contextlib.suppress(http.client.HTTPException, ConnectionError):
                self.assertIn(ada.send("GET", "/api/session", headers=headers)[0], (400, 413, 414, 431))
        self.assertEqual(ada.get("session")[0], 200)

    def test_idle_connections_do_not_keep_others_out(self):
        idle = [client().connect() for _ in range(200)]
        for connection in idle:
            connection.sock.send(b"GET / HT")
        self.assertEqual(client("ada").get("session")[0], 200)
        for connection in idle:
            connection.close()

    def test_a_person_has_a_limit_of_streams(self):
        # No other test has streams of this person: the server notices the end of a stream when it sends the next messages.
        page.hub("admin", "person", "add", "max", "--no-password", check=True)
        streams = [pages.Stream(pages.Client(page.socket, headers={"X-User": name})) for name in ("max", "Max") * 4]
        self.assertEqual(pages.Client(page.socket, headers={"X-User": "max"}).get("live")[1]["code"], "viewers")
        for stream in streams:
            stream.close()


class Streaming(unittest.TestCase):
    def test_a_device_that_changes_is_sent_to_its_site_alone(self):
        # A viewer of all sites, so that the states of both sites are known.
        root = pages.Stream(client("root"))
        ada, pia = pages.Stream(client("ada")), pages.Stream(client("pia"))
        self.assertEqual((ada.next("database"), pia.next("database")), ({"state": "running"},) * 2)
        time.sleep(2)  # the first states of devices are known; later ones are news
        page.servers.sql("update device_report set problems = '{x}' from device where device.device_id = device_report.device_id and name = 'door'")
        self.assertEqual(ada.next("device"), {"site": "berlin", "device": "door", "state": "problem"})
        self.assertEqual(pia.next("device"), {"site": "paris", "device": "door", "state": "problem"})
        page.servers.sql("update device_report set problems = '{}' from device where device.device_id = device_report.device_id and name = 'door'")
        page.servers.sql("insert into room_change(beacon_id, from_room, to_room, changed_at, reason) select beacon_id, 'hall', 'shop', now(), '{}'"
                         " from beacon where minor = 7")
        self.assertEqual([(move["site"], move["to"]) for move in (ada.next("move"), pia.next("move"))], [("berlin", "shop"), ("paris", "shop")])
        for stream in (root, ada, pia):
            stream.close()

    def test_a_revoked_role_and_an_ended_session_take_effect_in_an_open_page(self):
        page.hub("admin", "person", "add", "tim", input=f"{pages.PASSWORD}\n", check=True)
        page.hub("admin", "person", "grant", "tim", "paris", "viewer", check=True)
        tim = client("tim", address="192.0.2.7")
        stream = pages.Stream(tim)
        self.assertEqual(tim.get("devices?site=paris")[0], 200)
        page.hub("admin", "person", "revoke", "tim", "paris", check=True)
        self.assertEqual(tim.get("devices?site=paris")[0], 404)
        self.assertEqual(stream.next("sites"), {})
        page.hub("admin", "person", "remove", "tim", check=True)
        self.assertIsNone(stream.next("none"))
        stream.close()


class ZDatabase(unittest.TestCase):
    def test_a_database_that_stops_is_reported_and_pages_wait_for_one_that_returns(self):
        ada = client("ada")
        stream = pages.Stream(ada)
        page.servers.stop_postgresql("immediate")
        self.assertEqual([ada.get(path)[1]["code"] for path in ("session", "sites")], ["database"] * 2)
        self.assertEqual(stream.next("database"), {"state": "running"})
        self.assertEqual(stream.next("database"), {"state": "absent"})
        port = pages.servers.free_port()
        page.start("--listen", f"127.0.0.1:{port}")
        page.wait_for(lambda: "; tries again" in page.log)
        page.servers.start_postgresql()
        page.wait_for(lambda: pages.is_open(port))
        self.assertEqual(stream.next("database"), {"state": "running"})
        self.assertEqual(ada.get("session")[0], 200)
        stream.close()
