"""The programs of the hub against private servers."""
import json
import os
import re
import secrets
import subprocess
import time

import servers


def device_names(count, sites, first=0):
    return [f"s{number % sites}.d{number}" for number in range(first, first + count)]


def clock(seconds):
    return time.strftime("%H:%M:%S", time.localtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}"


class Hub:
    """A hub with its servers, its workers, and simulated devices."""

    def __init__(self, programs, nodes=1, **disks):
        self.programs = programs
        self.servers = servers.Servers(nodes, **disks)
        self.folder = self.servers.folder
        self.workers = {}
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        self.environment = os.environ | {
            "BEACONMON_HUB_DATABASE": self.servers.database, "BEACONMON_HUB_BROKER": self.servers.brokers,
            "BEACONMON_HUB_CERTIFICATES": str(self.servers.certificates), "BEACONMON_HUB_BROKER_PASSWORD": secrets.token_urlsafe(32),
        }
        self.authority = ["--authority", str(self.servers.certificates)]

    def hub(self, *arguments, check=True, **options):
        """Runs beaconmon-hub to its end."""
        return subprocess.run(
            [self.programs / "beaconmon-hub", *arguments], env=self.environment, check=check, stdout=subprocess.PIPE, text=True, timeout=300, **options)

    def up(self):
        self.hub("admin", "authority", *self.authority)
        self.hub("admin", "issue", *self.authority, "--host", "localhost")
        self.hub("admin", "issue", *self.authority)
        self.servers.up()
        # Its password would let every device publish as every other one.
        self.servers.rabbitmqctl("delete_user", "guest")
        self.control = ["--rabbitmqctl", str(self.servers.write_control())]

    def enrol(self, names):
        self.hub("admin", "enrol", *self.authority, *self.control, *names)

    def user(self, name):
        """Returns the user of a device at the broker, which is the common name of its newest certificate."""
        subject = subprocess.run(["openssl", "x509", "-in", self.servers.certificates / f"{name}.crt", "-noout", "-subject", "-nameopt", "multiline"],
                                 capture_output=True, text=True, check=True).stdout
        return re.search(r"commonName += (\S+)", subject)[1]

    def change_users(self, *calls):
        """Calls functions of the broker's users in one run of rabbitmqctl, because each run starts an Erlang machine.

        A call is a name with its arguments.
        """
        texts = [", ".join(f'<<"{argument}">>' for argument in (*arguments, "test")) for _, *arguments in calls]
        expression = ", ".join(f"ok = rabbit_auth_backend_internal:{call[0]}({text})" for call, text in zip(calls, texts))
        self.servers.rabbitmqctl("eval", input=f"{expression}.")

    def start(self, name, *command):
        """Starts a program that runs until the end, with a log."""
        with open(self.logs / f"{name}.log", "a") as log:
            self.workers[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        return self.workers[name]

    def dialogue(self, name, *arguments):
        """Starts beaconmon-hub with pipes for questions and answers."""
        self.workers[name] = subprocess.Popen([self.programs / "beaconmon-hub", *arguments], env=self.environment, stdin=subprocess.PIPE,
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return self.workers[name]

    def start_worker(self, name):
        return self.start(name, self.programs / "beaconmon-hub", "ingest")

    def start_load(self, name="load", **options):
        """Starts simulated devices, which write a ledger of what the broker acknowledged."""
        arguments = {"brokers": self.servers.listeners, "certificates": self.servers.certificates, "ledger": self.logs / f"{name}.tsv"} | options
        words = [word for key, value in arguments.items() for word in (f"--{key}", str(value))]
        return self.start(name, self.programs / "fleet-load", *words)

    def status(self):
        return json.loads(self.hub("status", "--json").stdout)

    def owners(self):
        """Returns the number of queues of each running worker."""
        rows = self.servers.sql("select worker, count(*) from queue join worker using (worker) where seen_at > now() - interval '8 s' group by 1")
        return {re.sub(r".*\.(\d+)\.\d+$", r"\1", worker): int(count) for worker, count in rows}

    def queue_lengths(self):
        return self.servers.rabbitmqctl("list_queues", "name", "messages_ready", "messages_unacknowledged", "consumers", "leader", "members")

    def keep_unroutable(self):
        """Makes a queue for the messages of devices that no queue takes, which the broker drops otherwise."""
        definitions = {
            "exchanges": [{"name": "unroutable", "vhost": "/", "type": "topic", "durable": True, "auto_delete": False, "internal": False, "arguments": {}}],
            "queues": [{"name": "unroutable", "vhost": "/", "durable": True, "auto_delete": False, "arguments": {"x-queue-type": "quorum"}}],
            "bindings": [{"source": "unroutable", "vhost": "/", "destination": "unroutable", "destination_type": "queue", "routing_key": "fleet.#", "arguments": {}}],
            "policies": [{"vhost": "/", "name": "unroutable", "pattern": r"^amq\.topic$", "apply-to": "exchanges", "priority": 0,
                          "definition": {"alternate-exchange": "unroutable"}}]}
        self.servers.rabbitmqctl("import_definitions", input=json.dumps(definitions))

    def unroutable(self):
        """Returns the number of messages that no queue took."""
        rows = self.servers.rabbitmqctl("list_queues", "--no-table-headers", "name", "messages").splitlines()
        return next(int(row.split("\t")[1]) for row in rows if row.startswith("unroutable\t"))

    def wait_for(self, seconds, condition):
        """Returns the seconds until a condition holds, or None if it does not hold in time."""
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            if condition():
                return time.monotonic() - start
            # A poll until the deadline.
            time.sleep(0.25)
        return None

    def cpu(self):
        return self.servers.cpu() | {name: servers.cpu_seconds(process.pid) for name, process in self.workers.items()}

    def down(self):
        for process in self.workers.values():
            process.kill()
            process.wait()
        self.servers.down()


class Ledger:
    """The acknowledged messages of simulated devices, compared with the rows of the database."""

    DIGESTS, EVENTS = "1", "0"

    def __init__(self, hub, *names):
        self.messages = {stream: set() for stream in "012"}
        # The time of the acknowledgement, and the port of the node that sent it.
        self.acknowledged = {}
        for name in names:
            for line in (hub.logs / f"{name}.tsv").read_text().splitlines():
                site, device, stream, journal, number, at, port = line.split("\t")
                message = (f"{site}.{device}", journal, int(number))
                self.messages[stream].add(message)
                self.acknowledged[stream, *message] = (int(at) / 1000, int(port))
        self.hub = hub

    def rows(self, table, columns="sequence"):
        query = (f"select s.name || '.' || d.name, replace(journal::text, '-', ''), {columns} from {table} "
                 "join device d using (device_id) join site s using (site_id)")
        return [(name, journal, int(number)) for name, journal, number in self.hub.servers.sql(query)]

    def compare(self):
        """Returns the number of lost and of doubled messages."""
        lost = doubled = 0
        for stream, table in ((self.DIGESTS, "digest"), (self.EVENTS, "event")):
            rows = self.rows(table)
            lost += len(self.messages[stream] - set(rows))
            doubled += len(rows) - len(set(rows))
        return lost, doubled

    def describe_lost(self):
        """Returns lines about lost messages, split by whether the numbers count as arrived, and the lengths of the queues."""
        lines = [f"lost numbers by stream: {self.split_lost()}"]
        for stream, table in ((self.DIGESTS, "digest"), (self.EVENTS, "event")):
            lost = sorted(self.messages[stream] - set(self.rows(table)))
            lines += [f"lost of {table}: {len(lost)} of {len({name for name, _, _ in lost})} devices", *map(str, lost[:8])]
            if lost:
                lines += self.describe_places(stream, lost)
                site, device = lost[0][0].split(".")
                of = f"join device d using (device_id) join site s using (site_id) where s.name = '{site}' and d.name = '{device}'"
                lines += map(str, self.hub.servers.sql(f"select stream, journal, highest, origin, stream.floor, gaps, abandoned from stream {of}"))
                lines += map(str, self.hub.servers.sql(f"select reason, messages, detail from refusal {of}"))
        lines.append(self.hub.queue_lengths())
        return "\n".join(lines)

    def describe_places(self, stream, lost):
        """Returns lines with the queues, nodes and times of lost messages."""
        partitions = dict(self.hub.servers.sql("select name, partition % (select queues from fleet) from site"))
        places = {}
        for message in lost:
            at, port = self.acknowledged[stream, *message]
            places.setdefault((partitions[message[0].split(".")[0]], port), []).append(at)
        return [f"queue {queue}, node at port {port}: {len(times)} acknowledged from {clock(min(times))} to {clock(max(times))}"
                for (queue, port), times in sorted(places.items())]

    def split_lost(self):
        """Returns the lost numbers by their state: beyond the highest stored one, in a gap, lost, arrived, or without a stream."""
        names = ("beyond", "missing", "lost", "arrived", "unknown")
        counts = dict.fromkeys(names, 0)
        records = {}
        for name, journal, stream, highest, floor, gaps in self.hub.servers.sql(
                "select s.name || '.' || d.name, replace(journal::text, '-', ''), stream, highest, stream.floor, gaps from stream "
                "join device d using (device_id) join site s using (site_id)"):
            ranges = [(int(low), int(high)) for low, high in re.findall(r"\[(\d+),(\d+)\)", gaps)]
            records[name, journal, stream] = (int(highest), int(floor), ranges)
        for stream, table in ((self.DIGESTS, "digest"), (self.EVENTS, "event")):
            for name, journal, number in self.messages[stream] - set(self.rows(table)):
                highest, floor, ranges = records.get((name, journal, stream), (0, 0, None))
                is_gap = any(low <= number < high for low, high in ranges or [])
                kind = ("unknown" if ranges is None else "beyond" if number > highest else "arrived" if not is_gap
                        else "lost" if number < floor else "missing")
                counts[kind] += 1
        return counts

    def disordered(self):
        """Returns the number of events that were stored after a later one of their device."""
        return int(self.hub.servers.sql(
            "select count(*) from (select sequence - lag(sequence) over (partition by device_id, journal order by event_id) as step from event) e "
            "where step <= 0")[0][0])

    def miscounted(self):
        """Returns the difference between the counted and the stored sightings of simulated devices, whose digests have twenty."""
        simulated = "join site s using (site_id) where s.name ~ '^s[0-9]+$'"
        return int(self.hub.servers.sql(f"select (select coalesce(sum(sightings), 0) from beacon {simulated}) - 20 * (select count(*) from digest "
                                        f"join device d using (device_id) {simulated} and octet_length(body) > 400)")[0][0])
