#!/usr/bin/python3
"""Prints the nearest beacon once a second. asyncio, with Debian's python3-dbus-next."""

import asyncio
import sys

from dbus_next import BusType, Message, Variant
from dbus_next.aio import MessageBus

NAME, ROOT = "org.beaconmon.Monitor1", "/org/beaconmon/Monitor1"
UUID = sys.argv[1] if len(sys.argv) > 1 else "8ec76ea3-6668-48da-9866-75be8bc86f4d"


async def call(bus, path, interface, member, options):
    reply = await bus.call(Message(NAME, path, f"{NAME}.{interface}", member, signature="a{sv}", body=[options]))
    if reply.error_name:
        sys.exit(reply.body[0])
    return reply.body


def heard(message):
    if message.member == "Ranged":
        beacons = message.body[2]
        value = lambda key: beacons[0][key].value
        print(f"{value('major')}/{value('minor')} {value('proximity')}" if beacons else "nothing near", flush=True)


async def main():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    bus.add_message_handler(heard)
    (session,) = await call(bus, ROOT, "Manager", "CreateSession", {"purpose": Variant("s", "Shows the exhibit you stand at")})
    await call(bus, session, "Session", "StartRanging", {"uuid": Variant("s", UUID)})
    await bus.wait_for_disconnect()


asyncio.run(main())
