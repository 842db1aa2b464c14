"""Sessions that open and close: usage: churn.py ADDRESS

For every number on a line of standard input, opens that many sessions, sixteen on a connection, uses them, closes some and drops the others with
their connection. Then prints their number. Ends with standard input.
"""

import sys

import dbus.bus

NAME, ROOT, SESSION = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1", "org.beaconmon.Monitor1.Session"
UUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"


def drop_connection():
    connection = dbus.bus.BusConnection(sys.argv[1])

    def call(path, interface, member, signature, *arguments):
        return connection.call_blocking(NAME, path, interface, member, signature, arguments)

    for number in range(16):
        path = call(ROOT, f"{NAME}.Manager", "CreateSession", "a{sv}", {"purpose": "a test of churn"})
        if number % 4 == 0:
            call(path, SESSION, "StartRanging", "a{sv}", {"uuid": UUID})
            call(path, SESSION, "StartMonitoring", "a{sv}", {"identifier": "desk", "uuid": UUID})
        if number % 8 == 0:
            call(path, SESSION, "StartScanning", "")
        if number % 2 == 0:
            call(path, SESSION, "Close", "")
    connection.close()


for line in sys.stdin:
    wanted = int(line)
    for _ in range(wanted // 16):
        drop_connection()
    print(wanted // 16 * 16, flush=True)
