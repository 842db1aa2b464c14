"""A web server that receives webhooks: usage: webhook_server.py PORT CERTIFICATE KEY LOG; without a certificate ("") it speaks plain HTTP.

Prints its port, then appends to LOG one line of JSON for each request. The path selects the answer:

    /STATUS, /STATUS/RETRY_AFTER, /hang, /reset
    /half            a body that never ends
    /endless         a body that never stops coming
    /slow            an octet of the headers now and then
    /flood           10 MB of body
    /once/N/STATUS   STATUS for the first N requests, then 200
    /chaos/SEED      one of them at random; 200 while LOG.calm is there

A GET of /NAME/reverse?… is a query for an address. NAME is address (German), american, nothing, hostile, deep, text, octets, list, or
one of the words above.
"""

import http.server
import json
import os
import random
import socket
import ssl
import struct
import sys
import threading
import time

port, certificate, key, log_path = sys.argv[1:]
lock = threading.Lock()
log = open(log_path, "a")
seen = {}
dice = {}
CHAOS = ["200"] * 5 + ["204", "hang", "reset", "half", "endless", "slow", "flood", "429/1", "429/2", "503/1", "500", "307", "404"]


ADDRESS = {
    "place_id": 1, "licence": "Data", "lat": "48.1", "lon": "11.5", "importance": 1e-05, "name": "Neues Rathaus", "boundingbox": ["48.1", "48.2", "11.5", "11.6"],
    "address": {
        "road": "Marienplatz", "house_number": "8", "suburb": "Altstadt-Lehel", "city": "München", "county": "", "state": "Bayern",
        "ISO3166-2-lvl4": "DE-BY", "postcode": "80331", "country": "Deutschland", "country_code": "de",
    },
}
AMERICAN = {"name": "", "address": {"road": "Main Street", "house_number": "12", "town": "Springfield", "country": "USA", "country_code": "us"}}
HOSTILE = {"name": "\x1b[31mA\u202eB\u0007\n\tC<b>" + "e" + "\u0301" * 5000, "address": {"road": "x" * 5000, "country_code": "deu", "city": 7, "country": {"a": "b"}}}
ADDRESSES = {
    "address": json.dumps(ADDRESS).encode(), "american": json.dumps(AMERICAN).encode(), "hostile": json.dumps(HOSTILE).encode(),
    "nothing": b'{"error":"Unable to geocode"}', "deep": b'{"address":' + b"[" * 60_000, "text": b"<html>", "octets": b'{"address":{"road":"\xff"}}',
    "list": b'{"address":[]}',
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        path = self.path.split("/reverse?")[0]
        words = path.strip("/").split("/")
        with lock:
            if words[0] == "chaos":
                die = dice.setdefault(path, random.Random(int(words[1])))
                path = "200" if os.path.exists(log_path + ".calm") else die.choice(CHAOS)
                words = path.split("/")
            headers = {name.lower(): value for name, value in self.headers.items()}
            log.write(json.dumps({"path": self.path, "headers": headers, "body": body, "peer": self.client_address[1], "answer": path.strip("/")}) + "\n")
            log.flush()
            seen[self.path] = seen.get(self.path, 0) + 1
            count = seen[self.path]
        if words[0] in ADDRESSES:
            return self.answer(200, ADDRESSES[words[0]])
        if words[0] == "hang":
            # Hangs until the server is killed.
            threading.Event().wait()
        if words[0] == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw = socket.socket(fileno=self.connection.detach())
            raw.close()
            self.rfile = self.wfile = None
            raise ConnectionAbortedError
        if words[0] == "half":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"x")
            self.wfile.flush()
            # Hangs until the server is killed.
            threading.Event().wait()
        if words[0] == "endless":
            # In chunks: a body without them would be complete when the server is killed.
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while True:
                self.wfile.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        if words[0] == "slow":
            for octet in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Slow: " + b"y" * 1000:
                self.wfile.write(bytes([octet]))
                self.wfile.flush()
                # The client's timeout is far shorter than all of the header.
                time.sleep(0.2)
        if words[0] == "flood":
            return self.answer(200, b"x" * 10_000_000)
        if words[0] == "once":
            return self.answer(int(words[2]) if count <= int(words[1]) else 200)
        self.answer(int(words[0]), retry_after=words[1].replace("_", " ") if len(words) > 1 else None)

    def answer(self, status, body=b"ok", retry_after=None):
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", "/200")
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass

    def finish_request(self, request, client_address):
        if certificate:
            request = context.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)


if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
server = Server(("127.0.0.1", int(port)), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
