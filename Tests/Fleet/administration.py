"""Tests commands of administrators on a private PostgreSQL. `Tests/Fleet/page` runs it."""
import concurrent.futures
import os
import pathlib
import secrets
import subprocess
import unittest

import servers

PROGRAMS = pathlib.Path(os.environ.get("FLEET_PROGRAMS", pathlib.Path(__file__).parents[2] / "Hub/.build/debug"))


class Administration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.servers = servers.Servers()
        cls.servers.create_database()
        cls.folder = cls.servers.folder / "authority"
        cls.run_hub("migrate")
        cls.run_hub("admin", "authority", "--authority", str(cls.folder))
        cls.run_hub("admin", "enrol", "--authority", str(cls.folder), "berlin.door", "berlin.hall")

    @classmethod
    def tearDownClass(cls):
        cls.servers.down()

    @classmethod
    def run_hub(cls, *arguments):
        environment = os.environ | {"BEACONMON_HUB_DATABASE": cls.servers.database, "BEACONMON_HUB_BROKER_PASSWORD": secrets.token_urlsafe(32)}
        return subprocess.run([PROGRAMS / "beaconmon-hub", *arguments], env=environment, capture_output=True, text=True, timeout=60)

    def hub(self, *arguments):
        """Returns the exit code, the output and the errors of an administrator's command."""
        result = self.run_hub("admin", *arguments)
        return result.returncode, result.stdout, result.stderr

    def enrol(self, *arguments):
        return self.hub("enrol", "--authority", str(self.folder), *arguments)

    def test_a_revocation_of_an_unknown_name_is_an_error_and_the_others_are_revoked(self):
        self.assertEqual(self.enrol("berlin.till")[0], 0)
        code, output, errors = self.hub("revoke", "berlin.dor", "berlin.till", "paris")
        self.assertEqual(code, 64)
        self.assertIn("revoked berlin.till\n", output)
        self.assertIn("no device is enrolled as berlin.dor, paris, so that nothing is revoked there", errors)
        code, output, errors = self.hub("revoke", "berlin.till")
        self.assertEqual((code, errors), (0, ""))
        self.assertIn("berlin.till is revoked already", output)

    def test_the_audit_log_of_an_unknown_site_is_an_error(self):
        code, output, errors = self.hub("audit", "--site", "nosuch")
        self.assertEqual((code, output), (64, ""))
        self.assertIn("there is no site nosuch", errors)
        self.assertIn("enrol", self.hub("audit", "--site", "berlin")[1])

    def test_a_floor_without_a_room_keeps_the_room(self):
        self.assertEqual(self.hub("place", "berlin.door", "--room", "hall")[0], 0)
        code, _, errors = self.hub("place", "berlin.door", "--floor", "3")
        self.assertEqual(code, 64)
        self.assertIn("--floor belongs to a room; add --room", errors)
        self.assertEqual(self.servers.sql("select room from device where name = 'door'"), [["hall"]])

    def test_an_enrolment_and_a_revocation_name_the_command_that_changes_the_broker(self):
        remedy = 'run "beaconmon-hub admin users --rabbitmqctl'
        for change in (lambda *options: self.enrol(*options, "berlin.kiosk"), lambda *options: self.hub("revoke", *options, "berlin.kiosk")):
            code, output, _ = change()
            self.assertEqual(code, 0)
            self.assertIn(f"the broker is not changed yet; {remedy} rabbitmqctl\"", output)
            code, _, errors = change("--rabbitmqctl", "false --node x")
            self.assertEqual(code, 1)
            self.assertRegex(errors, r"the devices are (enrolled|revoked) in the database, but the broker may be unchanged")
            self.assertIn(f"{remedy} 'false --node x'\"", errors)

    def test_of_two_enrolments_of_a_name_at_once_one_has_the_files_and_the_user(self):
        def openssl(*arguments):
            return subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True).stdout

        for number in range(3):
            name = f"berlin.twin{number}"
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                results = list(pool.map(lambda _: self.enrol(name), range(2)))
            codes = sorted(code for code, _, _ in results)
            # The later one of two that do not overlap renews the certificate.
            self.assertIn(codes, ([0, 0], [0, 1]))
            if codes == [0, 1]:
                self.assertIn(f"another command has enrolled {name} meanwhile", "".join(errors for _, _, errors in results))
            certificate, key = (str(self.folder / f"{name}.{suffix}") for suffix in ("crt", "key"))
            self.assertEqual(openssl("x509", "-in", certificate, "-noout", "-pubkey"), openssl("pkey", "-in", key, "-pubout"))
            fingerprint = openssl("x509", "-in", certificate, "-noout", "-fingerprint", "-sha256").strip().split("=")[1].replace(":", "").lower()
            self.assertEqual(self.servers.sql(f"select encode(certificate, 'hex') from device where name = 'twin{number}'"), [[fingerprint]])

    def test_a_device_after_one_that_fails_is_not_enrolled_and_the_broker_gets_those_before_it(self):
        long = "a" * 32
        code, output, errors = self.enrol("berlin.first", f"{long}.{long}", "berlin.last")
        self.assertEqual(code, 64)
        self.assertIn("enrolled berlin.first", output)
        self.assertIn("the broker is not changed yet", output)
        self.assertIn("use shorter names", errors)
        self.assertNotIn("berlin.last", output)

    def test_a_faulty_request_is_refused_with_the_reason_and_enrols_no_device(self):
        request = self.servers.folder / "door.csr"
        for key, text in ((None, "No such file"), ("rsa:1024", "has an RSA key of 1024 bits")):
            if key:
                subprocess.run(["openssl", "req", "-new", "-newkey", key, "-nodes", "-keyout", f"{request}.key", "-subj", "/CN=x", "-out", request],
                               check=True, capture_output=True)
            code, _, errors = self.enrol("--request", str(request), "berlin.asked")
            self.assertEqual(code, 1)
            self.assertIn(text, errors)
        self.assertEqual(self.servers.sql("select count(*) from device where name = 'asked'"), [["0"]])

    def test_a_rollout_key_that_exists_is_kept_and_the_error_names_the_next_step(self):
        key = self.servers.folder / "rollout.key"
        self.assertEqual(self.hub("rollout", "key", "--out", str(key))[0], 0)
        before = key.read_bytes()
        code, _, errors = self.hub("rollout", "key", "--out", str(key))
        self.assertEqual(code, 64)
        self.assertIn(f'{key} exists; "--of {key}" prints the line of this key', errors)
        self.assertEqual(key.read_bytes(), before)

    def test_the_files_of_the_authority_the_workers_and_devices_are_not_those_of_a_node(self):
        self.assertEqual(self.hub("issue", "--authority", str(self.folder))[0], 0)
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        for name, text in (("ca", "authority"), ("hub", "workers"), ("berlin.door", "certificate of a device")):
            code, _, errors = self.hub("issue", "--authority", str(self.folder), "--host", name)
            self.assertNotEqual(code, 0)
            self.assertIn(text, errors)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_a_step_back_that_would_delete_data_needs_a_flag(self):
        self.servers.sql("insert into site_venue select site_id, '', '[]' from site where name = 'berlin'")
        result = self.run_hub("migrate", "--to", "0")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"device \(\d+\), .*site \(1\), site_venue \(1\);.*--discard")
        self.assertEqual(self.run_hub("migrate", "--check").returncode, 0)

    def test_a_wrong_argument_is_told_from_other_refusals(self):
        for arguments, text in (
                (("migrate", "--to", "9999"), "there is no schema 9999"), (("migrate", "--to=-1"), "there is no schema -1"),
                (("migrate", "--queues", "0"), "1 to 64 queues"), (("admin", "rollout", "continue", "7"), "there is no rollout 7"),
                (("admin", "rollout", "stop", "7"), "there is no rollout 7")):
            result = self.run_hub(*arguments)
            self.assertEqual(result.returncode, 64, arguments)
            self.assertIn(text, result.stderr)
        self.assertEqual(self.run_hub("admin", "rollout", "continue").returncode, 1)


if __name__ == "__main__":
    unittest.main()
