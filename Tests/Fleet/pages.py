"""A private hub with a page and two sites, and clients of its API, for tests."""
import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import servers

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"
TAG = "8ec76ea3-6668-48da-9866-75be8bc86f4d"


class Client:
    """A browser: it has a cookie, a form token and an address of its own behind a proxy."""

    def __init__(self, path=None, port=None, address="192.0.2.1", headers=None, origin="https://fleet.example"):
        self.path, self.port, self.origin = path, port, origin
        self.headers = {"Host": "fleet.example", "X-Forwarded-For": address} | (headers or {})
        self.token = None

    def connect(self, timeout=10):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        if self.path:
            connection.sock = socket.socket(socket.AF_UNIX)
            # A socket with a limit of time does not wait in the queue of the server.
            connection.sock.connect(str(self.path))
            connection.sock.settimeout(timeout)
        return connection

    def send(self, method, target, body=None, headers=None):
        """Returns the status, the answer and the headers."""
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, target, body, self.headers | (headers or {}))
            answer = connection.getresponse()
            text = answer.read().decode()
            cookie = answer.headers.get("Set-Cookie")
            if cookie:
                self.headers["Cookie"] = cookie.split(";")[0]
            return answer.status, json.loads(text) if text.startswith("{") else text, answer.headers

    def get(self, path):
        return self.send("GET", f"/api/{path}")[:2]

    def post(self, path, body, **headers):
        headers = {"Content-Type": "application/json", "Origin": self.origin, "X-Form-Token": self.token or ""} | {
            name.replace("_", "-"): value for name, value in headers.items()}
        return self.send("POST", f"/api/{path}", json.dumps(body), headers)[:2]

    def sign_in(self, person, password=PASSWORD):
        status, answer = self.post("login", {"person": person, "password": password})
        if status == 200:
            self.token = self.get("session")[1]["formToken"]
        return status, answer


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


class Page:
    """A database with two sites, and beaconmon-hub web."""

    def __init__(self):
        self.program = pathlib.Path(os.environ.get("FLEET_PROGRAMS", ROOT / "Hub/.build/debug")).resolve() / "beaconmon-hub"
        self.servers = servers.Servers()
        self.socket = self.servers.folder / "web.sock"
        self.processes = []
        self.clients = {}

    @property
    def log(self):
        """The log of all programs."""
        return (self.servers.folder / "web.log").read_text()

    def hub(self, *arguments, **options):
        environment = os.environ | {"BEACONMON_HUB_DATABASE": self.servers.database}
        return subprocess.run([self.program, *arguments], env=environment, text=True, capture_output=True, **options)

    def up(self):
        self.servers.create_database()
        self.hub("migrate", check=True)
        self.servers.sql(DATA)
        for person in ("ada", "otto", "olga", "pia", "root"):
            flags = ["--administrator"] if person == "root" else []
            self.hub("admin", "person", "add", person, *flags, input=f"{PASSWORD}\n", check=True)
        for person, site, role in (("ada", "berlin", "viewer"), ("otto", "berlin", "operator"), ("olga", "berlin", "owner"), ("pia", "paris", "owner")):
            self.hub("admin", "person", "grant", person, site, role, check=True)
        self.hub("admin", "site", "berlin", "--title", "Berlin, Alexanderplatz", "--at", "52.5219,13.4132", check=True)
        self.start("--listen", self.socket, "--url", "https://fleet.example", "--proxy-user-header", "X-User")
        self.wait_for(self.socket.exists)

    def wait_for(self, condition):
        """Waits until the program that was started last listens."""
        deadline = time.monotonic() + 20
        while not condition():
            if self.processes[-1].poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("beaconmon-hub web does not start: " + self.log)
            time.sleep(0.05)  # between two looks

    @contextlib.contextmanager
    def transaction(self, statement):
        """Holds a transaction open, and commits it a second after the body began."""
        script = f"begin; {statement}; select 'open'; select pg_sleep(1); commit"
        command = [self.servers.postgresql / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", self.servers.database]
        process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(script.replace("; ", ";\n") + ";\n")
        process.stdin.close()
        assert process.stdout.readline() == "open\n"
        yield
        assert process.wait(10) == 0
        process.stdout.close()

    def certificate(self):
        """Makes a certificate, and returns the options for it."""
        key, certificate = (self.servers.folder / f"web.{name}" for name in ("key", "crt"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return "--certificate", certificate, "--key", key

    def start_on_port(self, *arguments, host="127.0.0.1"):
        """Starts a program on a free port, and returns the port."""
        port = servers.free_port()
        self.start("--listen", f"{host}:{port}", *arguments)
        self.wait_for(lambda: is_open(port))
        return port

    def start(self, *arguments):
        command = [self.program, "web", "--database", self.servers.database, "--pages", ROOT / "Hub/Web", "--pages", ROOT / "Web", *arguments]
        log = open(self.servers.folder / "web.log", "ab")
        self.processes.append(subprocess.Popen(command, stderr=log))
        log.close()

    def down(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
            process.wait(10)
        self.servers.down()


class Stream:
    """A stream of server-sent events."""

    def __init__(self, client):
        self.connection = client.connect(20)
        self.connection.request("GET", "/api/live", headers=client.headers)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.status

    def next(self, *events):
        """Returns the data of the next event of one of these names; None at the end of the stream."""
        name = None
        while line := self.answer.readline().decode():
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: ") and name in events:
                return json.loads(line[6:])
        return None

    def close(self):
        self.connection.close()


# The octets of a digest with the tag 1/5, whose level is LL: -60 dBm is 3b, -70 dBm is 45.
DIGEST = "87010150" + "00" * 16 + "010100818750" + TAG.replace("-", "") + "010538LLf60a00"
DATA = f"""
insert into site(name, partition) values ('berlin', 1), ('paris', 2);
insert into device(site_id, name) select site_id, d from site, unnest(array['door', 'hall', 'shop']) d;
insert into device_state(device_id, device_time, journal_returns, returned) select device_id, now() - interval '1 second', 0, 0 from device where name <> 'shop';
insert into device_report(device_id, version, revision, dropped_digests, clock_synchronised, problems)
  select device_id, '0.1.0', 0, 0, true, case name when 'hall' then array['the disk is full'] else array[]::text[] end from device where name <> 'shop';
update device_report set revision = 4, rollout_revision = 7, rollout_state = 2, rollout_text = 'line 3: unknown key'
  where device_id in (select device_id from device where name = 'hall');
insert into beacon(site_id, uuid, major, minor, sightings, last_seen, device_id, level)
  select site_id, '{TAG}', site_id, n, 1, extract(epoch from now()) * 1000 - n * 1000, (select device_id from device d where d.site_id = s.site_id and name = 'door'), -60
  from site s, generate_series(1, 450) n;
update beacon set room = 'hall', room_since = extract(epoch from now()) * 1000 where minor = 5;
insert into room_change(beacon_id, from_room, to_room, changed_at, reason)
  select beacon_id, case when n > 1 then 'door' end, 'hall', now(), case when n = 2
    then json_build_object('kind', 'moved', 'device', device_id, 'level', -61, 'usualLevel', -58, 'formerLevel', -72, 'held', 4.0, 'betweenFloors', true,
      'formerDevice', (select device_id from device d where d.site_id = beacon.site_id and name = 'hall'))
    else json_build_object('kind', 'appeared', 'level', -60.5, 'device', device_id) end
  from beacon, generate_series(1, 3) n where minor = 5;
insert into alert(kind, subject, site, device, since, opened_at, announced, text) values
  ('device-silent', 'paris.door', 'paris', 'door', now(), now(), true, 'paris.door has sent nothing'),
  ('worker-missing', 'ingest', null, null, now(), now(), true, 'no worker');
insert into alert(kind, subject, site, since, opened_at, ended_at, announced, text) values ('site-silent', 'paris', 'paris', now(), now(), now(), true, '');
call fleet_make_partitions();
call fleet_make_partition('digest', now() - interval '1 hour');
insert into event(device_id, journal, sequence, device_time, body)
  select device_id, '00000000-0000-0000-0000-000000000001', n, now(), jsonb_build_object('event', 'enter', 'sequence', n)
  from device, generate_series(1, 90) n;
insert into digest(device_id, journal, sequence, received_at, device_time, body)
  select device_id, '00000000-0000-0000-0000-000000000001', n, now() - n * interval '70 seconds', now() - n * interval '70 seconds',
    decode(replace('{DIGEST}', 'LL', case device.name when 'hall' then '3b' else '45' end), 'hex')
  from device join site using (site_id), generate_series(1, 20) n where site.name = 'berlin' and device.name in ('door', 'hall');
insert into visit(site_id, room, begun_at, seconds, pseudonym)
  select 1, 'hall', date_trunc('hour', now()), n * 60, decode(case when n > 2 then '01' else '02' end, 'hex') from generate_series(1, 5) n;
"""
