"""Connections that the broker has to refuse, and messages that the hub has to refuse."""
import concurrent.futures
import contextlib
import re
import signal
import subprocess

import amqp

# An array that declares 2^30 items.
BOMB = bytes.fromhex("9a40000000")

# A device that publishes what check_gaps does, and nothing else.
GAPPED = "s50.d50"

# The limit that the broker has for each device.
MOST_CONNECTIONS = 16


def event(number, text, journal=1, floor=1, time=5000):
    """Returns an event as CBOR, by default one of five seconds after 1970."""
    octets = text.encode()
    return (bytes.fromhex("870100") + b"\x50" + journal.to_bytes(16, "big") + b"\x1b" + number.to_bytes(8, "big") + bytes([floor]) + b"\x1b"
            + time.to_bytes(8, "big") + b"\x78" + bytes([len(octets)]) + octets)


def digest(number, journal):
    """Returns a digest without beacons as CBOR."""
    return event(number, "", journal).replace(bytes.fromhex("870100"), bytes.fromhex("870101"), 1)[:-2] + b"\x80"


def publish(hub, name, topic, payload=BOMB, user=None, authority=None):
    """Publishes with the certificate of a name, and returns whether the broker acknowledged it."""
    files = hub.servers.certificates
    host, port = hub.servers.listeners.split(",")[0].split(":")
    command = ["mosquitto_pub", "-h", host, "-p", port, "-V", "311", "-q", "1", "-i", f"intruder-{name}", "-t", topic, "-s",
               "--cafile", files / "ca.crt", "--cert", (authority or files) / f"{name}.crt", "--key", (authority or files) / f"{name}.key"]
    if user:
        command += ["-u", user[0], "-P", user[1]]
    # The client connects again and again if a publish is refused.
    try:
        return subprocess.run(command, input=payload, capture_output=True, timeout=4).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def can_subscribe(hub, name, client, topic):
    """Subscribes with the certificate of a name, and returns whether the broker accepts and keeps it."""
    files = hub.servers.certificates
    host, port = hub.servers.listeners.split(",")[0].split(":")
    # The client prints the answer to each subscription, and ends after two seconds.
    done = subprocess.run(
        ["mosquitto_sub", "-d", "-W", "2", "-h", host, "-p", port, "-V", "311", "-q", "1", "-i", client, "-t", topic, "--cafile", files / "ca.crt",
         "--cert", files / f"{name}.crt", "--key", files / f"{name}.key"], capture_output=True, text=True)
    return "Subscribed (mid: 1): 1" in done.stdout and done.stdout.count("sending CONNECT") == 1


class Listener:
    """A connection with the certificate of a name, which subscribes, and connects again until it is refused."""

    def __init__(self, hub, name, client, topic, user=None):
        files = hub.servers.certificates
        host, port = hub.servers.listeners.split(",")[0].split(":")
        self.log = hub.folder / f"listener-{client}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["stdbuf", "-oL", "mosquitto_sub", "-d", "-h", host, "-p", port, "-V", "311", "-i", client, "-t", topic, "-q", "1",
                 *(["-u", user[0], "-P", user[1]] if user else []), "--cafile", files / "ca.crt", "--cert", files / f"{name}.crt", "--key", files / f"{name}.key"], stdout=log, stderr=log)

    def connections(self):
        """Returns the number of attempts to connect, and that of accepted subscriptions."""
        text = self.log.read_text()
        return text.count("sending CONNECT"), text.count("Subscribed (mid")

    def close(self):
        self.process.kill()
        self.process.wait()


def topic(hub, name):
    site, device = name.split(".")
    partition = hub.servers.sql(f"select partition from site where name = '{site}'")[0][0]
    return f"fleet/v1/{partition}/{site}/{device}"


def can_log_in(hub, name, mechanism, user="", password=""):
    """Returns whether the listener of the workers accepts a login with the certificate of a name, or without one."""
    try:
        amqp.Link(hub, name, mechanism, f"\0{user}\0{password}".encode() if mechanism == "PLAIN" else b"").close()
    except amqp.Refused:
        return False
    return True


def publish_through_queue(link, own, queue, target, payload):
    """Publishes on the device's own topic, and lets a queue of the device pass the message on to the topic of another one."""
    link.declare(queue, {"x-dead-letter-exchange": "amq.topic", "x-dead-letter-routing-key": target, "x-message-ttl": 10, "x-expires": 60000})
    link.bind(queue, f"{own}.hub")
    link.publish(own, payload, {"CC": [f"{own}.hub"]})


def check_workers_listener(hub, checks):
    """Tries to log in at the listener of the workers as a device, and to publish as another device from there.

    RabbitMQ checks the topic permission of the first routing key of a message only. The devices s0.d0 and s1.d1 are enrolled.
    """
    own, other = (topic(hub, name).replace("/", ".") for name in ("s0.d0", "s1.d1"))
    user, victim, password = hub.user("s0.d0"), hub.user("s1.d1"), hub.environment["BEACONMON_HUB_BROKER_PASSWORD"]
    logins = [("the certificate of a device", "s0.d0", "EXTERNAL"), ("the certificate of the workers without a password", "hub", "EXTERNAL"),
              *((f"the name of a device and the password {word!r}", "s0.d0", "PLAIN", user, word) for word in ("", "guess", user)),
              ("the name of another device", "s0.d0", "PLAIN", victim, ""),
              *((f"the name of the workers and the password {word!r}", "s0.d0", "PLAIN", "hub", word) for word in ("", "guess")),
              ("the right password without a certificate", None, "PLAIN", "hub", password)]
    # The broker answers a refused login after three seconds, so that the attempts run together.
    with concurrent.futures.ThreadPoolExecutor(len(logins)) as pool:
        accepted = list(pool.map(lambda login: can_log_in(hub, *login[1:]), logins))
    for (title, *_), is_accepted in zip(logins, accepted):
        checks.check(f"{title} cannot log in as a worker does", not is_accepted)
    checks.check("the workers log in with certificate and password", can_log_in(hub, "hub", "PLAIN", "hub", password))
    forged = event(1, '{"event":"enter","region":"forged"}', journal=0xDEAD)
    attempts = {
        "a further routing key": lambda link: link.publish(own, forged, {"CC": [other]}),
        "a queue that passes messages on": lambda link: publish_through_queue(
            link, own, "mqtt-subscription-s0.d0.ccccccccccccccccqos1", other, forged),
        "the topic of messages to another device": lambda link: link.publish(own, BOMB, {"CC": [f"{other}.hub"]})}
    def publishes(attempt):
        with contextlib.suppress(amqp.Refused):
            attempt(amqp.Link(hub, "s0.d0", "EXTERNAL"))
            return True
        return False

    with concurrent.futures.ThreadPoolExecutor(len(attempts)) as pool:
        published = list(pool.map(publishes, attempts.values()))
    for title, was_published in zip(attempts, published):
        checks.check(f"a device cannot publish as another one by {title}", not was_published)
    checks.check("no forged event is stored", hub.wait_for(3, lambda: hub.servers.sql(
        "select count(*) from event where body::text like '%forged%'") != [["0"]]) is None)


def run(hub, checks):
    """Tries each intrusion while the fleet works. The devices s0.d0 and s1.d1 are enrolled."""
    own, other = topic(hub, "s0.d0"), topic(hub, "s1.d1")
    partition = own.split("/")[2]
    elsewhere = own.replace(f"/v1/{partition}/", f"/v1/{(int(partition) + 1) % 64}/")
    checks.check("a device publishes on its own topic", publish(hub, "s0.d0", own))
    bad = [event(1, "not JSON", journal=2), event(1, "{}"), event(1, "{}"), event(2**40, "{}"), event(2, '{"event":"x","n":1e999999}'),
           event(3, '{"event":"\\u0000"}'), event(4, '{"event":"\\ud800"}')]
    checks.check("the broker takes invalid, repeated and future events", all(publish(hub, "s0.d0", own, payload) for payload in bad))
    clones = [digest(number, journal) for number in (1, 2, 3) for journal in (5, 6)]
    checks.check("the broker takes digests of a cloned device", all(publish(hub, "s1.d1", other, payload) for payload in clones))
    texts = ['{"event":"a"}', '{"event":"b"}', '{"event":"a"}']
    checks.check("the broker takes two events with one number", all(publish(hub, "s4.d4", topic(hub, "s4.d4"), event(1, text, journal=7)) for text in texts))
    checks.check("the broker cuts the link of a device that publishes 1 MiB", not publish(hub, "s0.d0", own, bytes(2**20)))
    checks.check("a device cannot publish on the topic of another site", not publish(hub, "s0.d0", other))
    checks.check("a device cannot publish in another partition", not publish(hub, "s0.d0", elsewhere))
    hub.hub("admin", "enrol", *hub.authority, "s0x.d0")
    checks.check("a certificate without a user is refused", not publish(hub, "s0x.d0", own))
    digits = "0123456789abcdef"
    # Each attempt takes two seconds, so that they run together; the broker would end one of two connections with the same client.
    attempts = (("a device reads the messages of the hub to it", True, f"s0.d0.{digits}", f"{own}/hub"),
                ("a device cannot read messages to another one", False, f"s0.d0.1{digits[1:]}", f"{other}/hub"),
                ("a device cannot read messages to all", False, f"s0.d0.2{digits[1:]}", "fleet/v1/+/+/+/hub"),
                ("a device cannot read what devices publish", False, f"s0.d0.3{digits[1:]}", own),
                ("a device cannot have the queue of another one", False, f"s1.d1.{digits}", f"{own}/hub"),
                ("a device cannot have a queue with a name of its choice", False, "s0.d0.door", f"{own}/hub"))
    with concurrent.futures.ThreadPoolExecutor(len(attempts)) as pool:
        answers = list(pool.map(lambda attempt: can_subscribe(hub, "s0.d0", *attempt[2:]), attempts))
    for (title, wanted, *_), accepted in zip(attempts, answers):
        checks.check(title, accepted == wanted)
    foreign = hub.folder / "foreign"
    for arguments in (["authority"], ["issue"]):
        hub.hub("admin", *arguments, "--authority", str(foreign))
    checks.check("a certificate of another authority is refused", not publish(hub, "hub", own, authority=foreign))
    checks.check("the workers' certificate cannot speak for a device", not publish(hub, "hub", own, user=(hub.user("s0.d0"), "")))
    for password in ("", "guess"):
        checks.check(f"a name with the password {password!r} does not replace the certificate",
                     not publish(hub, "s0.d0", other, user=(hub.user("s1.d1"), password)))
    checks.check("a device cannot publish on a topic that its own name matches as a pattern", not publish(hub, "s0.d0", own[:-len("s0/d0")] + "s0xd0"))
    pattern = hub.hub("admin", "enrol", *hub.authority, "*.d0", check=False, stderr=subprocess.PIPE)
    checks.check("a pattern cannot be enrolled", pattern.returncode != 0 and '"*.d0" is not a device' in pattern.stderr, pattern.stderr.splitlines()[0])
    checks.check("the standard user of the broker is deleted", not publish(hub, "s0.d0", other, user=("guest", "guest")))


def check_connections(hub, checks, name):
    """Opens more connections than a device may have, and returns as a device whose connection is dead.

    No other program uses the device.
    """
    own = topic(hub, name)

    def listen(numbers):
        return [Listener(hub, name, f"{name}.{number:016x}", f"{own}/hub") for number in numbers]

    def accepted():
        return sum(listener.connections()[1] > 0 for listener in listeners)

    def refused():
        return sum("not authorised" in listener.log.read_text() for listener in listeners)

    # The broker counts with a delay, so that connections of one moment can exceed the limit.
    listeners = listen(range(MOST_CONNECTIONS))
    hub.wait_for(20, lambda: accepted() == MOST_CONNECTIONS)
    hub.wait_for(10, lambda: not publish(hub, name, own))
    listeners += listen(range(MOST_CONNECTIONS, MOST_CONNECTIONS + 3))
    hub.wait_for(20, lambda: refused() == 3)
    checks.check(f"a device has at most {MOST_CONNECTIONS} connections", (accepted(), refused()) == (MOST_CONNECTIONS, 3) and not publish(hub, name, own),
                 (accepted(), refused()))
    dead = next(listener for listener in listeners if listener.connections()[1])
    # A stopped client keeps its connection, as the broker keeps that of a device that has lost its power.
    dead.process.send_signal(signal.SIGSTOP)
    for listener in listeners:
        if listener is not dead:
            listener.close()
    log = dead.log.read_text()
    client = re.search(rf"{re.escape(name)}\.[0-9a-f]{{16}}", log)[0]
    hub.wait_for(10, lambda: publish(hub, name, own))
    returned = Listener(hub, name, client, f"{own}/hub")
    hub.wait_for(10, lambda: returned.connections()[1])
    checks.check("a device whose connection is dead returns at once, with the same client and with another one",
                 returned.connections() == (1, 1) and publish(hub, name, own), returned.connections())
    returned.close()
    dead.close()


def check_gaps(hub, checks):
    """Leaves a number out, and gives it up later. The clock of the device is in 1970, and then in 2099."""
    def state():
        return next(device for device in hub.status()["devices"] if device["name"] == GAPPED)

    def expect(title, numbers, floor, condition, time=5000):
        published = all(publish(hub, GAPPED, topic(hub, GAPPED), event(number, '{"event":"a"}', floor=floor, time=time)) for number in numbers)
        took = hub.wait_for(10, lambda: condition(state()))
        checks.check(title, published and took is not None, {key: state()[key] for key in ("missing", "lost", "lag")})

    expect("status shows a number that has not arrived, and a clock in 1970", (1, 3), 1,
           lambda device: (device["missing"], device["lost"]) == (1, 0) and device["lag"] > 10**9)
    expect("status shows numbers that a device has given up as lost", (5,), 5, lambda device: (device["missing"], device["lost"]) == (0, 2))
    expect("status shows a clock in 2099", (6,), 5, lambda device: device["lag"] < -10**9, time=4_070_908_800_000)


def check_wide_rights(hub, checks):
    """Lets a device publish in another partition, as a faulty broker would, and expects that the worker refuses it."""
    own = topic(hub, "s3.d3")
    partition = int(own.split("/")[2])
    hub.servers.rabbitmqctl("set_topic_permissions", hub.user("s3.d3"), "amq.topic", ".*", ".*")
    published = publish(hub, "s3.d3", own.replace(f"/v1/{partition}/", f"/v1/{(partition + 1) % 64}/"))
    took = hub.wait_for(10, lambda: "topic" in hub.status()["strangers"])
    checks.check("status counts a message on a topic of another partition", published and took is not None, hub.status()["strangers"])
    hub.hub("admin", "users", *hub.control)


def check_rights(hub, checks):
    """Takes the topic permission of a device, gives passwords to users, and expects that all of it is noticed and repaired."""
    victim, own = topic(hub, "s1.d1"), topic(hub, "s6.d6")
    other, bare = hub.user("s1.d1"), hub.user("s6.d6")
    hub.change_users(("clear_topic_permissions", bare, "/"), ("change_password", other, "secret"), ("add_user", "operator", "secret"),
                     ("set_permissions", "operator", "/", ".*", ".*", ".*"))
    attempts = {
        "a device without a topic permission": lambda: publish(hub, "s6.d6", victim),
        "a password of another device": lambda: publish(hub, "s0.d0", victim, user=(other, "secret"))}
    for title, attempt in attempts.items():
        checks.check(f"{title} lets a device publish as another one", attempt())
    listener = Listener(hub, "s0.d0", "s1.d1.0123456789abcdef", f"{victim}/hub", (other, "secret"))
    hub.wait_for(10, lambda: listener.connections() == (1, 1))
    checks.check("a password of another device reads its messages", listener.connections() == (1, 1), listener.connections())
    said = hub.hub("admin", "users", *hub.control).stdout
    checks.check("repairing the rights of the broker says so", re.search(
        r"^(added user s0x\.d0\.\w+\n)?changed the rights of 2 users.*\n.*user s1\.d1\.\w+ had a password.*\n.*user s6\.d6\.\w+ .*\n.*the user \"operator\" can publish as every device", said), said)
    hub.wait_for(10, lambda: listener.process.poll() is not None)
    checks.check("a connection with a password ends when the password does", listener.connections() == (2, 1), listener.connections())
    listener.close()
    for title, attempt in attempts.items():
        checks.check(f"{title} is repaired", not attempt())
    checks.check("a device whose rights were repaired publishes", publish(hub, "s6.d6", own))
    hub.servers.rabbitmqctl("delete_user", "operator")
    said = hub.hub("admin", "users", *hub.control).stdout
    checks.check("a second repair finds nothing", said == "", said)
