"""A private journal and a program that logs to it: journal.py native|stream PROGRAM [ARGUMENT...]; prints each entry as a line of JSON.

With "native" the socket for entries with fields exists, with "stream" only the program's standard error. Runs in a mount namespace with an
empty /run: unshare --mount.
"""

import json
import os
import select
import socket
import subprocess
import sys

subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
os.makedirs("/run/systemd/journal")
native = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
if sys.argv[1] == "native":
    native.bind("/run/systemd/journal/socket")
stream, errors = socket.socketpair()
status = os.fstat(errors.fileno())
environment = os.environ | {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}
program = subprocess.Popen(sys.argv[2:], stderr=errors, env=environment)
errors.close()
while True:
    ready, _, _ = select.select([native, stream], [], [])
    if native in ready:
        fields = native.recv(65536).decode().rstrip("\n").split("\n")
        print(json.dumps(dict(field.split("=", 1) for field in fields)), flush=True)
    elif stream in ready:
        text = stream.recv(65536).decode()
        if not text:
            break
        for line in text.splitlines():
            print(json.dumps({"stream": line}), flush=True)
sys.exit(program.wait())
