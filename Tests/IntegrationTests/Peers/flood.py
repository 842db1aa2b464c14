"""A peer that floods: usage: flood.py nmea|gpsd|garbage|serial [PORT]

Sends valid NMEA sentences, reports of gpsd, or noise, with a new fix every 10 ms of its own clock, as fast as they are read. The peer is one TCP
connection after another on 127.0.0.1, or a pseudo terminal whose path it prints.
"""

import datetime
import os
import socket
import sys
import tty

kind = sys.argv[1]
begun = datetime.datetime.now(datetime.timezone.utc)


def sentence(content):
    checksum = 0
    for octet in content.encode():
        checksum ^= octet
    return f"${content}*{checksum:02X}\r\n"


def epoch(number):
    time = begun + datetime.timedelta(milliseconds=10 * (number % 100))
    latitude = 1234 + number % 97
    if kind == "gpsd":
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z"
        return f'{{"class":"TPV","device":"/dev/a","mode":3,"time":"{stamp}","lat":50.25{latitude},"lon":8.5094,"altHAE":160.4,"eph":9.5,"speed":1.3}}\r\n'
    clock = time.strftime("%H%M%S.") + f"{time.microsecond // 10000:02}"
    place = f"5015.{latitude},N,00830.5678,E"
    return sentence(f"GPRMC,{clock},A,{place},2.70,40.5,{time.strftime('%d%m%y')},,,A") + sentence(
        f"GPGGA,{clock},{place},1,08,0.9,112.5,M,47.9,M,,")


octets = b"\0noise\n" * 10000 if kind == "garbage" else "".join(epoch(number) for number in range(1000)).encode()
if kind == "serial":
    control, line = os.openpty()
    tty.setraw(line)
    print(os.ttyname(line), flush=True)
    while True:
        os.write(control, octets)
greeting = b""
if kind == "gpsd":
    greeting = b'{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
    greeting += b'{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"}]}\r\n'
listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
print("ready", flush=True)
while True:
    client, _ = listener.accept()
    try:
        client.sendall(greeting)
        while True:
            client.sendall(octets)
    except OSError:
        pass  # The peer has disconnected.
