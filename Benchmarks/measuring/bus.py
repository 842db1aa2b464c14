"""A private dbus-daemon, and the cost of a process."""
import contextlib
import os
import resource
import subprocess
import tempfile


@contextlib.contextmanager
def private_bus():
    """The address of a private bus."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/bus", "--print-address=1"]
        with running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
            yield daemon.stdout.readline().strip()


@contextlib.contextmanager
def running(command, **options):
    """Runs a process until the block ends."""
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
    """Gives processes of the block the highest priority, if permitted, so that other work does not affect their figures."""
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
