"""What the notifier runs: usage: command.py FILE [ARGUMENT...]; adds to FILE a line of JSON with all that it was given."""

import json
import os
import sys

environment = {name: value for name, value in os.environ.items() if name.startswith("BEACONMON_") and name != "BEACONMON_PROGRAMS"}
line = json.dumps({"arguments": sys.argv[2:], "input": sys.stdin.read(), "environment": environment})
with open(sys.argv[1], "a") as file:
    file.write(line + "\n")
