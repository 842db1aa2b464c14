"""Tests the page of the hub behind a reverse proxy: the person and the address that it states. `Tests/Fleet/page` runs it."""
import contextlib
import json
import unittest

import page as fixture
import pages

setUpModule, tearDownModule, client = fixture.setUpModule, fixture.tearDownModule, fixture.client


def repeated(connection, method, path, *headers, body=None):
    """Sends a request with headers of which some have one name."""
    octets = json.dumps(body).encode() if body else b""
    connection.putrequest(method, f"/api/{path}", skip_host=True)
    for name, value in (("Host", "fleet.example"), ("Origin", "https://fleet.example"), ("Content-Type", "application/json"),
                        ("Content-Length", str(len(octets))), *headers):
        connection.putheader(name, value)
    connection.endheaders(octets)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


class Proxies(unittest.TestCase):
    def test_the_header_of_a_proxy_counts_from_the_proxy_alone(self):
        self.assertEqual(pages.Client(fixture.page.socket, headers={"X-User": "ada"}).get("session")[1]["person"], "ada")
        self.assertEqual(pages.Client(fixture.page.socket, headers={"X-User": "stranger"}).get("session")[1]["code"], "person")
        with contextlib.closing(client().connect()) as connection:
            # The proxy passed the header of the browser on, and added its own.
            status, answer = repeated(connection, "GET", "session", ("X-User", "root"), ("x-user", "ada"))
            self.assertEqual((status, answer["code"]), (400, "proxy"))
        port = fixture.page.start_on_port("--proxy", "127.0.0.9", "--proxy-user-header", "X-User", "--url", "https://fleet.example")
        self.assertEqual(pages.Client(port=port, headers={"X-User": "ada"}).get("session")[0], 401)

    def test_the_last_address_that_a_proxy_names_counts_in_whatever_header(self):
        answers = []
        for number in range(7):
            with contextlib.closing(client().connect()) as connection:
                answers.append(repeated(connection, "POST", "login", ("X-Forwarded-For", f"203.0.113.{number}"), ("X-Forwarded-For", "192.0.2.7"),
                                        body={"person": "nobody", "password": "wrong horse battery"})[0])
        self.assertEqual(answers, [401] * 5 + [429] * 2)
