import Diagnosis
import Instants
import Testing

/// The findings about the clock, the disk, the config and the targets.
@Suite struct HostDiagnosisTests {
  @Test(arguments: [(0, .fault), (1_790_000_000, .warning), (4_200_000_000, .fault)] as [(Int64, Finding.Verdict)])
  func `an impossible date is a fault, and a clock that is not synchronised a warning`(seconds: Int64, verdict: Finding.Verdict) {
    let found = DiagnosisTests.findings {
      $0.clock = .found(ClockFacts(now: Instant(microseconds: seconds * 1_000_000), isSynchronised: false))
    }
    #expect(found.map(\.verdict) == [verdict])
    #expect(found.first?.command == "sudo timedatectl set-ntp true")
  }

  /// 31 December 2029, and 1 January 2030.
  @Test(arguments: [(1_893_455_999, false), (1_893_456_000, true)] as [(Int64, Bool)])
  func `a magnetic model that is out of date is a warning`(seconds: Int64, isLate: Bool) {
    let warning = Finding(
      .clock, .warning, "WMM-2025 was valid until 2030, so true headings are less certain; update beaconmon")
    DiagnosisTests().expect(isLate ? [warning] : []) {
      $0.clock = .found(ClockFacts(now: Instant(microseconds: seconds * 1_000_000), isSynchronised: true))
    }
  }

  @Test(
    arguments: [
      (DiskFacts.Space(freeOctets: 1 << 20, freeInodes: nil), Finding.Verdict.fault, "df -h /var/lib/beaconmon"),
      (DiskFacts.Space(freeOctets: 32 << 20, freeInodes: nil), .warning, "df -h /var/lib/beaconmon"),
      (DiskFacts.Space(freeOctets: 1 << 30, freeInodes: 0), .fault, "df -i /var/lib/beaconmon"),
      (DiskFacts.Space(freeOctets: 1 << 30, freeInodes: 50), .warning, "df -i /var/lib/beaconmon"),
      (
        DiskFacts.Space(freeOctets: 1 << 30, freeInodes: nil, isReadOnly: true), .fault,
        "sudo mount -o remount,rw \"$(findmnt -no TARGET -T /var/lib/beaconmon)\""
      ),
      (
        DiskFacts.Space(freeOctets: 1 << 30, freeInodes: nil, isOwned: false), .fault,
        "sudo chown beaconmon:beaconmon /var/lib/beaconmon"
      ),
      (nil, .warning, "sudo systemctl restart beaconmond"),
    ] as [(DiskFacts.Space?, Finding.Verdict, String)])
  func `a disk on which events cannot be stored is a fault, and one that is nearly full a warning`(
    space: DiskFacts.Space?, verdict: Finding.Verdict, command: String
  ) {
    let found = DiagnosisTests.findings { $0.disk = .found(DiskFacts(folder: "/var/lib/beaconmon", space: space)) }
    #expect(found.map(\.verdict) == [verdict])
    #expect(found.map(\.command) == [command])
  }

  @Test func `a folder that may be shared is judged by its mode, and the advice does not change its owner`() {
    DiagnosisTests().expect([]) {
      $0.disk = .found(DiskFacts(folder: "/srv", space: DiskFacts.Space(freeOctets: 1 << 30, freeInodes: nil, isOwned: false)))
    }
    let text = "the user beaconmon may not write in /srv; permit it, or set journal.path to a folder of that user"
    DiagnosisTests().expect([Finding(.disk, .fault, text)]) {
      let space = DiskFacts.Space(freeOctets: 1 << 30, freeInodes: nil, isOwned: false, isWritable: false)
      $0.disk = .found(DiskFacts(folder: "/srv", space: space))
    }
  }

  @Test func `errors of the config are faults, its warnings are warnings, and further ones are counted`() {
    DiagnosisTests().expect([Finding(.config, .fault, "a.toml:1: unknown key \"mayor\"")]) {
      let lines = ["beaconmon: a.toml:1: unknown key \"mayor\""]
      $0.config = .found(ConfigFacts(file: "a.toml", status: 78, lines: lines, source: nil, actions: nil))
    }
    DiagnosisTests().expect([Finding(.config, .warning, "a.toml:2: warning: no file")]) {
      $0.config = .found(ConfigFacts(file: "a.toml", status: 1, lines: ["a.toml: valid", "a.toml:2: warning: no file"]))
    }
    let many = DiagnosisTests.findings {
      $0.config = .found(ConfigFacts(file: "a.toml", status: 78, lines: (1...20).map { "a.toml:\($0): x" }, source: nil, actions: nil))
    }
    #expect(many.count == 9)
    #expect(many.last == Finding(.config, .fault, "12 more errors", command: "beaconmon config check a.toml"))
  }

  @Test(arguments: [
    ("/etc/beaconmon/beaconmon.toml", "sudo beaconmon setup"), ("/srv/a.toml", "beaconmon setup --config /srv/a.toml"),
  ])
  func `the command for a missing config is setup`(file: String, command: String) {
    DiagnosisTests().expect([Finding(.config, .fault, "\(file) does not exist", command: command)]) {
      $0.config = .found(ConfigFacts(file: file, status: 66, lines: ["beaconmon: x"], source: nil, actions: nil, isAbsent: true))
    }
  }

  @Test func `actions without a notifier are a fault, and a host that is not reachable is a warning`() {
    DiagnosisTests().expect([
      Finding(
        .notifier, .fault, "beaconmon-notifier does not run, so no action happens",
        command: "sudo systemctl enable --now beaconmon-notifier"
      )
    ]) { $0.isNotifierRunning = .found(false) }
    DiagnosisTests().expect([Finding(.target, .warning, "mqtt broker.local:1883 is not reachable: Connection refused")]) {
      $0.hosts = [HostFacts(target: "mqtt broker.local:1883", failure: "Connection refused")]
    }
    DiagnosisTests().expect([]) {
      $0.isNotifierRunning = .found(false)
      $0.config = .found(ConfigFacts(file: "a.toml", actions: 0))
    }
  }

  @Test func `the command for a notifier that is not installed installs it, and does not start it`() {
    let found = DiagnosisTests.findings {
      $0.isNotifierRunning = .found(false)
      $0.missingPrograms = ["beaconmon-notifier"]
    }
    #expect(found.map(\.command) == ["sudo apt-get install beaconmon-notifier"])
  }

  @Test func `targets beyond the limit are counted`() {
    DiagnosisTests().expect([Finding(.target, .unknown, "3 more targets were not tried")]) { $0.untriedHosts = 3 }
  }

  @Test func `a config that only root may read is not a fault for another user`() {
    let file = "/etc/beaconmon/beaconmon.toml"
    let lines = ["beaconmon: \(file): cannot be read: Permission denied; let this user read it"]
    DiagnosisTests().expect([
      Finding(
        .config, .unknown, "user alice may not read \(file) or a drop-in, so neither was checked", command: "sudo beaconmon doctor")
    ]) { $0.config = .found(ConfigFacts(file: file, status: 66, lines: lines, source: nil, actions: nil, isForbidden: true)) }
  }
}
