"""A private dbus-daemon, and what a process cost."""
import contextlib
import os
import resource
import subprocess
import tempfile


@contextlib.contextmanager
def private_bus():
    """The address of a bus of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/bus", "--print-address=1"]
        with running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
            yield daemon.stdout.readline().strip()


@contextlib.contextmanager
def running(command, **options):
    """A process that is gone when the block ends."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()


@contextlib.contextmanager
def before_others():
    """What starts in the block runs before all else on the machine, where that is allowed: its figures are its own then, and not those of a busy machine."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        print("without root the figures are also those of whatever else runs", flush=True)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)


def processor_seconds(command):
    """Runs a command to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
