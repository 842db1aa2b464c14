"""Private servers for tests of the hub: PostgreSQL and one or three nodes of RabbitMQ, with ports, data and certificates of their own.

Both refuse to run as root, so root starts them as another user. The folder is removed at the end.
"""
import contextlib
import glob
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import memory_disks

RABBITMQ = "/usr/lib/rabbitmq/bin"
USER = "nobody"


def free_port():
    """Returns a port that no program listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """Returns the CPU time of a process and its ended children, or 0 if it does not exist."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def missing_packages():
    """Returns the Debian packages that have to be installed first."""
    files = {"rabbitmq-server": f"{RABBITMQ}/rabbitmq-server", "postgresql": "/usr/lib/postgresql/*/bin/initdb", "openssl": "/usr/bin/openssl"}
    return [package for package, path in files.items() if not glob.glob(path)]


class Servers:
    """The servers in a folder."""

    def __init__(self, nodes=1, has_small_disk=False, has_small_log=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="beaconmon-fleet-"))
        self.certificates = self.folder / "tls"
        self.nodes = range(1, nodes + 1)
        self.ports = {name: free_port() for node in self.nodes for name in (f"amqps{node}", f"mqtts{node}", f"dist{node}")}
        self.ports |= {name: free_port() for name in ("epmd", "postgresql")}
        self.processes = {}
        # The disks of the tables and of the log of the database, which a test can fill; None if they are those of the folder.
        self.disk = memory_disks.MemoryDisk(self.folder / "disk", USER) if has_small_disk else None
        self.log_disk = memory_disks.MemoryDisk(self.folder / "wal", USER) if has_small_log else None
        self.postgresql = pathlib.Path(sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1])
        self.database = f"host={self.folder} port={self.ports['postgresql']} user=hub dbname=fleet"
        self.brokers = ",".join(f"amqps://localhost:{self.ports[f'amqps{node}']}" for node in self.nodes)
        self.listeners = ",".join(f"localhost:{self.ports[f'mqtts{node}']}" for node in self.nodes)
        self.erlang = {
            "HOME": str(self.folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
            "ERL_EPMD_PORT": str(self.ports["epmd"]), "ERL_EPMD_ADDRESS": "127.0.0.1",
        }

    # MARK: Processes

    def start(self, name, command, environment=None):
        """Starts a server as the unprivileged user, in a group of its own."""
        log = open(self.folder / f"{name}.log", "ab")
        self.processes[name] = subprocess.Popen(
            command, cwd=self.folder, env=environment or self.erlang, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            **self.identity())
        log.close()

    def identity(self):
        return {"user": USER, "group": pwd.getpwnam(USER).pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}

    def run(self, command, environment=None, **options):
        return subprocess.run(command, cwd=self.folder, env=environment or self.erlang, check=True, capture_output=True, text=True, **self.identity(), **options)

    def own(self, *paths):
        """Gives files to the user of the servers."""
        if os.geteuid() == 0:
            entry = pwd.getpwnam(USER)
            for path in paths:
                os.chown(path, entry.pw_uid, entry.pw_gid)

    # MARK: RabbitMQ

    def environment(self, node):
        folder = self.folder / f"r{node}"
        dist = self.ports[f"dist{node}"]
        return self.erlang | {
            "RABBITMQ_NODENAME": f"r{node}@localhost", "RABBITMQ_MNESIA_BASE": str(folder), "RABBITMQ_LOG_BASE": str(folder),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"), "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_DIST_PORT": str(dist), "RABBITMQ_PID_FILE": str(folder / "pid"), "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_GENERATED_CONFIG_DIR": str(folder / "generated"), "RABBITMQ_FEATURE_FLAGS_FILE": str(folder / "flags"),
            # A machine of one thread starts sooner beside other load.
            "RABBITMQ_CTL_ERL_ARGS": "+S 1:1 +SDcpu 1:1 +SDio 1 +sbwt none +sbwtdcpu none +sbwtdio none",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS":
                "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none",
        }

    def configure(self, node):
        folder = self.folder / f"r{node}"
        folder.mkdir()
        (folder / "plugins").write_text("[rabbitmq_mqtt].\n")
        tls = self.certificates
        lines = [
            "listeners.tcp = none", f"listeners.ssl.1 = 127.0.0.1:{self.ports[f'amqps{node}']}",
            "mqtt.listeners.tcp = none", f"mqtt.listeners.ssl.1 = 127.0.0.1:{self.ports[f'mqtts{node}']}",
            "mqtt.allow_anonymous = false", "mqtt.ssl_cert_login = true", "mqtt.exchange = amq.topic",
            "ssl_cert_login_from = common_name", "auth_mechanisms.1 = PLAIN",
            f"ssl_options.cacertfile = {tls}/ca.crt", f"ssl_options.certfile = {tls}/localhost.crt", f"ssl_options.keyfile = {tls}/server.key",
            "ssl_options.verify = verify_peer", "ssl_options.fail_if_no_peer_cert = true",
            "ssl_options.versions.1 = tlsv1.3", "ssl_options.versions.2 = tlsv1.2",
            "max_message_size = 65536", "vm_memory_high_watermark.absolute = 2GB", "disk_free_limit.absolute = 500MB", "log.file.level = warning",
        ]
        if len(self.nodes) > 1:
            # As "A cluster" in Docs/fleet/install.md says; the later of two limits counts.
            lines += ["cluster_partition_handling = pause_minority", "disk_free_limit.absolute = 2GB"]
        (folder / "rabbitmq.conf").write_text("\n".join(lines) + "\n")
        self.own(folder, folder / "plugins", folder / "rabbitmq.conf")

    def join_cluster(self, node):
        """Lets a node join the first one, as "A cluster" in Docs/fleet/install.md says."""
        self.rabbitmqctl("stop_app", node=node)
        self.rabbitmqctl("join_cluster", "r1@localhost", node=node)
        self.rabbitmqctl("start_app", node=node)
        self.wait_for_node(node)

    def start_node(self, node):
        self.start(f"rabbitmq{node}", [f"{RABBITMQ}/rabbitmq-server"], self.environment(node))

    def kill_node(self, node):
        """Kills the Erlang machine of a node, which is in the group of its start script."""
        os.killpg(self.processes[f"rabbitmq{node}"].pid, signal.SIGKILL)
        self.processes[f"rabbitmq{node}"].wait()

    def restart_nodes(self):
        """Stops all nodes in order, starts them together, and returns the seconds until all of them take connections.

        A node that starts waits for the others, so that none may be awaited before the last one is started.
        """
        for node in self.nodes:
            os.kill(int((self.folder / f"r{node}/pid").read_text()), signal.SIGTERM)
        for node in self.nodes:
            self.processes[f"rabbitmq{node}"].wait(timeout=120)
        began = time.monotonic()
        for node in self.nodes:
            self.start_node(node)
        for node in self.nodes:
            self.wait_for_node(node, seconds=600)
        return time.monotonic() - began

    def rabbitmqctl(self, *arguments, node=1, **options):
        return self.run([f"{RABBITMQ}/rabbitmqctl", "--quiet", *arguments], self.environment(node), **options).stdout

    def write_control(self):
        """Writes a script that calls rabbitmqctl for the private broker, and returns its path."""
        script = self.folder / "rabbitmqctl"
        exports = "".join(f"export {name}='{value}'\n" for name, value in self.environment(1).items())
        drop = f"setpriv --reuid={USER} --regid={pwd.getpwnam(USER).pw_gid} --clear-groups " if os.geteuid() == 0 else ""
        script.write_text(f"#!/bin/sh\ncd {self.folder}\n{exports}exec {drop}{RABBITMQ}/rabbitmqctl \"$@\"\n")
        script.chmod(0o755)
        return script

    def wait_for_node(self, node, seconds=180):
        """Waits until a node takes connections of workers and of devices; it takes those of devices last."""
        deadline = time.monotonic() + seconds
        for name in (f"amqps{node}", f"mqtts{node}"):
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.ports[name]), 1):
                    break
                if time.monotonic() > deadline:
                    sys.exit(f"rabbitmq{node} does not listen after {seconds} s; see {self.folder}/rabbitmq{node}.log")
                # A poll until the deadline.
                time.sleep(0.2)

    # MARK: Disk

    @property
    def disk_refusal(self):
        """The reason why the tables have no disk of their own; empty with one."""
        return self.disk.refusal if self.disk else "the tables have no disk of their own"

    def fill_disk(self):
        """Makes the disk of the tables as small as its content.

        The database keeps a file that it needs for connections, which the automatic vacuum deletes.
        """
        self.sql("alter system set autovacuum = off")
        self.sql("select pg_reload_conf()")
        self.sql("select 1")
        self.disk.fill()

    def grow_disk(self):
        self.disk.grow()
        self.sql("alter system reset autovacuum")
        self.sql("select pg_reload_conf()")

    # MARK: PostgreSQL

    def start_postgresql(self):
        options = (f"-c listen_addresses='' -k {self.folder} -p {self.ports['postgresql']} -c shared_buffers=128MB -c max_wal_size=1GB "
                   "-c fsync=on -c synchronous_commit=on -c track_commit_timestamp=on")
        self.run([self.postgresql / "pg_ctl", "-s", "-w", "-D", "pg", "-l", "postgresql.log", "-o", options, "start"])

    def create_database(self):
        """Starts PostgreSQL on a fresh folder with an empty database."""
        self.folder.chmod(0o755)
        self.own(self.folder)
        log = ["--waldir", self.log_disk.folder] if self.log_disk and not self.log_disk.refusal else []
        self.run([self.postgresql / "initdb", "-D", "pg", "-U", "hub", "-A", "trust", "--no-sync", "--locale=C.UTF-8", *log])
        self.start_postgresql()
        link = ["-h", self.folder, "-p", str(self.ports["postgresql"]), "-U", "hub"]
        if not self.disk_refusal:
            self.run([self.postgresql / "psql", "-qX", *link, "-d", "postgres", "-c", f"create tablespace disk location '{self.disk.folder}'"])
        self.run([self.postgresql / "createdb", *link, *([] if self.disk_refusal else ["-D", "disk"]), "fleet"])

    def is_postgresql_running(self):
        status = [self.postgresql / "pg_ctl", "-D", self.folder / "pg", "status"]
        return subprocess.run(status, cwd=self.folder, stdout=subprocess.DEVNULL, **self.identity()).returncode == 0

    def stop_postgresql(self, mode="fast"):
        self.run([self.postgresql / "pg_ctl", "-s", "-w", "-D", "pg", "-m", mode, "stop"])

    def sql(self, text):
        """Runs a query, and returns its rows as lists of texts."""
        output = self.run(
            [self.postgresql / "psql", "-qXAtF", "\t", "-v", "ON_ERROR_STOP=1", "-d", self.database, "-f", "-"], input=text).stdout
        return [line.split("\t") for line in output.splitlines()]

    # MARK: All

    def up(self):
        """Starts all servers on fresh folders. The folder of certificates must have ca.crt, localhost.crt and localhost.key."""
        self.folder.chmod(0o755)
        self.own(self.folder)
        self.certificates.chmod(0o755)
        (self.certificates / "ca.crt").chmod(0o644)
        (self.certificates / "localhost.crt").chmod(0o644)
        shutil.copy(self.certificates / "localhost.key", self.certificates / "server.key")
        (self.certificates / "server.key").chmod(0o600)
        cookie = self.folder / ".erlang.cookie"
        cookie.write_text(secrets.token_hex(16))
        cookie.chmod(0o400)
        self.own(cookie, self.certificates / "server.key")
        self.start("epmd", ["epmd", "-port", str(self.ports["epmd"]), "-address", "127.0.0.1"])
        for node in self.nodes:
            self.configure(node)
            self.start_node(node)
        self.create_database()
        for node in self.nodes:
            self.wait_for_node(node)
        for node in self.nodes[1:]:
            self.join_cluster(node)

    def cpu(self):
        """Returns the CPU seconds of each server so far."""
        result = {}
        for node in self.nodes:
            with contextlib.suppress(OSError, ValueError):
                result[f"rabbitmq{node}"] = cpu_seconds((self.folder / f"r{node}/pid").read_text())
        with contextlib.suppress(OSError, ValueError):
            postmaster = (self.folder / "pg/postmaster.pid").read_text().split("\n")[0]
            children = subprocess.run(["pgrep", "-P", postmaster], capture_output=True, text=True).stdout.split()
            result["postgresql"] = sum(cpu_seconds(pid) for pid in [postmaster, *children])
        return result

    def down(self):
        """Ends all servers, and removes their folder."""
        with contextlib.suppress(subprocess.CalledProcessError):
            if (self.folder / "pg/postmaster.pid").exists():
                self.stop_postgresql("immediate")
        for process in self.processes.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for disk in (self.disk, self.log_disk):
            if disk:
                disk.unmount()
        if os.environ.get("FLEET_KEEP"):
            print(f"kept {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
