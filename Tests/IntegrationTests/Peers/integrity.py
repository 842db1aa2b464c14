"""Prints the result of SQLite's integrity_check for each database path on standard input.

It checks a copy, as a power cut would leave it. The file itself stays unchanged, because the next program has to recover it.
"""

import os
import shutil
import sqlite3
import sys

for line in sys.stdin:
    path = line.rstrip("\n")
    copy = path + ".copy"
    for end in ("", "-wal", "-shm"):
        if os.path.exists(copy + end):
            os.remove(copy + end)
    for end in ("", "-wal"):
        if os.path.exists(path + end):
            shutil.copy(path + end, copy + end)
    database = sqlite3.connect(copy)
    print(database.execute("PRAGMA integrity_check").fetchone()[0], flush=True)
    database.close()
