"""A client of AMQP 0-9-1 for attempts that librabbitmq does not make: other logins, headers and arguments of queues."""
import socket
import ssl
import struct

START, START_OK, TUNE, TUNE_OK, OPEN, OPEN_OK = ((10, number) for number in (10, 11, 30, 31, 40, 41))
CHANNEL_OPEN, QUEUE_DECLARE, QUEUE_BIND, CONFIRM_SELECT, PUBLISH, ACK = (20, 10), (50, 10), (50, 20), (85, 10), (60, 40), (60, 80)
# The classes and methods with which the broker refuses the connection or an operation.
CLOSED = ((10, 50), (20, 40))
METHOD, HEADER, BODY, END = 1, 2, 3, b"\xce"


class Refused(Exception):
    """The broker has refused the connection, the login or an operation."""


def short(text):
    return bytes([len(text.encode())]) + text.encode()


def long(octets):
    return struct.pack(">I", len(octets)) + octets


def field(value):
    if isinstance(value, int):
        return b"I" + struct.pack(">i", value)
    if isinstance(value, list):
        return b"A" + long(b"".join(map(field, value)))
    return b"S" + long(value.encode())


def table(entries):
    return long(b"".join(short(name) + field(value) for name, value in entries.items()))


class Link:
    """A connection to the listener of the workers, with the certificate of a name or without one, and its channel."""

    def __init__(self, hub, name, mechanism, response=b""):
        files = hub.servers.certificates
        context = ssl.create_default_context(cafile=files / "ca.crt")
        if name:
            context.load_cert_chain(files / f"{name}.crt", files / f"{name}.key")
        port = hub.servers.ports["amqps1"]
        try:
            self.stream = context.wrap_socket(socket.create_connection(("localhost", port), 10), server_hostname="localhost")
            self.stream.sendall(b"AMQP\0\0\x09\x01")
            self.read(START)
            self.send(START_OK, table({}) + short(mechanism) + long(response) + short("en_US"), channel=0)
            limits = self.read(TUNE)
            self.send(TUNE_OK, limits[:6] + b"\0\0", channel=0)
            self.call(OPEN, short("/") + short("") + b"\0", channel=0)
            self.call(CHANNEL_OPEN, short(""))
            self.call(CONFIRM_SELECT, b"\0")
        except OSError as error:
            raise Refused(str(error)) from error

    def send(self, method, arguments, channel=1, kind=METHOD):
        payload = struct.pack(">HH", *method) + arguments if kind == METHOD else arguments
        self.stream.sendall(struct.pack(">BHI", kind, channel, len(payload)) + payload + END)

    def read(self, wanted):
        """Returns the arguments of the next method, which has to be the wanted one."""
        while True:
            kind, _, size = struct.unpack(">BHI", self.take(7))
            payload = self.take(size + 1)[:-1]
            if kind != METHOD:
                continue
            method = struct.unpack(">HH", payload[:4])
            if method == wanted:
                return payload[4:]
            if method in CLOSED:
                raise Refused(payload[7:7 + payload[6]].decode())
            raise Refused(f"{method} in place of {wanted}")

    def take(self, size):
        octets = b""
        while len(octets) < size:
            part = self.stream.recv(size - len(octets))
            if not part:
                raise Refused("the broker has closed the connection")
            octets += part
        return octets

    def call(self, method, arguments, channel=1):
        self.send(method, arguments, channel)
        return self.read((method[0], method[1] + 1))

    def declare(self, queue, arguments):
        self.call(QUEUE_DECLARE, b"\0\0" + short(queue) + b"\0" + table(arguments))

    def bind(self, queue, key):
        self.call(QUEUE_BIND, b"\0\0" + short(queue) + short("amq.topic") + short(key) + b"\0" + table({}))

    def publish(self, key, body, headers):
        """Publishes to amq.topic, and waits until the broker has confirmed it."""
        self.send(PUBLISH, b"\0\0" + short("amq.topic") + short(key) + b"\0")
        self.send(None, struct.pack(">HHQH", 60, 0, len(body), 0x2000) + table(headers), kind=HEADER)
        self.send(None, body, kind=BODY)
        self.read(ACK)

    def close(self):
        self.stream.close()
