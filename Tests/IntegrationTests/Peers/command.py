"""A command for the notifier: usage: command.py FILE [ARGUMENT...]; appends to FILE a line of JSON with its arguments, environment and input."""

import json
import os
import sys

environment = {name: value for name, value in os.environ.items() if name.startswith("BEACONMON_") and name != "BEACONMON_PROGRAMS"}
line = json.dumps({"arguments": sys.argv[2:], "input": sys.stdin.read(), "environment": environment})
with open(sys.argv[1], "a") as file:
    file.write(line + "\n")
