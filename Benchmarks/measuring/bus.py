"""A private dbus-daemon, and what a process cost."""
import contextlib
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


def processor_seconds(command):
    """Runs a command to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
