import Beacons
import Instants
import Ranging
import Records
import Terminal
import Testing

@Suite struct ScanScreenTests {
  private static var group: ScanReport.Group {
    var group = ScanReport.Group()
    (group.uuid, group.count, group.rssi, group.distance, group.rate) = (beacon(5).uuid, 18, -61.24, 1.294, 84.1)
    group.lastSeen = start + .seconds(9.9)
    group.beacons = [5, 12].map { (minor: UInt16) in
      var beacon = ScanReport.Beacon()
      (beacon.major, beacon.minor) = (1, minor)
      return beacon
    }
    return group
  }

  private static func scan(
    _ groups: [ScanReport.Group] = [group], kinds: NamedCounts = ["eddystone": 3, "iBeacon": 900], cut: Bool = false
  ) -> ScanReport {
    var scan = ScanReport()
    (scan.time, scan.since, scan.uuids) = (start + .seconds(10), start, groups)
    (scan.uuidCount, scan.beaconCount) = (cut ? 40 : UInt64(groups.count), 18)
    (scan.forgotten, scan.unlisted, scan.kinds) = (cut ? 7 : nil, cut ? 123 : nil, kinds)
    return scan
  }

  private func screen(_ scan: ScanReport, _ style: TerminalStyle = plain) -> ScanScreen {
    var screen = ScanScreen(source: "beaconmond", style: style)
    screen.take(scan)
    return screen
  }

  @Test func `a window of 80 columns shows the whole scan`() {
    #expect(
      screen(Self.scan()).lines(size: .usual) == [
        "scan  beaconmond  12:44:54Z  10 s",
        "uuid                                  beacons     dBm       m   adv/s     seen",
        "8ec76ea3-6668-48da-9866-75be8bc86f4d       18   -61.2    1.29    84.1    0.1 s",
        "  1/5 1/12, and 16 more",
        "other advertisements: 3 Eddystone",
        "next: beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d",
      ])
  }

  @Test func `sentences below the table wrap in a narrow window, and are truncated in a short one`() {
    var screen = screen(Self.scan())
    screen.note = "beaconmond has stopped; waiting for it to come back"
    let narrow = screen.lines(size: TerminalSize(columns: 40, rows: 24))
    #expect(
      narrow.suffix(5) == [
        "other advertisements: 3 Eddystone", "next: beaconmon range", "  8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "beaconmond has stopped; waiting for it", "  to come back",
      ])
    #expect(screen.lines(size: TerminalSize(columns: 40, rows: 6)).last == "beaconmond has stopped; waiting for it …")
  }

  @Test func `entries that are not shown are counted`() {
    #expect(
      screen(Self.scan(cut: true)).lines(size: TerminalSize(columns: 200, rows: 24)).contains(
        "not shown: 39 weaker UUIDs, 7 silent beacons, 123 advertisements of beacons beyond the limit of a scan"))
  }

  @Test func `a pipe receives the same text without truncation`() {
    let many = (0..<32).map { _ in Self.group }
    #expect(screen(Self.scan(many), ascii).text.split(separator: "\n").count == 1 + 1 + 64 + 1 + 1)
  }

  @Test func `the screen of a scan without a beacon states that there is none`() {
    #expect(screen(Self.scan([], kinds: [:])).lines(size: .usual) == ["scan  beaconmond  12:44:54Z  10 s", "no beacon in range"])
    #expect(ScanScreen(source: "x", style: plain).lines(size: .usual) == ["scan  x", "no beacon in range"])
  }

  @Test(arguments: [1, 2, 5, 7, 10, 30], [1, 10, 40, 79])
  func `the screen fits the smallest window`(rows: Int, columns: Int) {
    var screen = screen(Self.scan((0..<9).map { _ in Self.group }, cut: true))
    screen.note = "beaconmond has stopped; waiting for it"
    let lines = screen.lines(size: TerminalSize(columns: columns, rows: rows))
    #expect(lines.count <= max(1, rows - 1))
    #expect(lines.allSatisfy { $0.count <= columns })
  }

  @Test func `control characters in a kind from the daemon do not reach the terminal`() {
    let lines = screen(Self.scan(kinds: ["\u{1B}x": 1])).lines(size: .usual)
    #expect(lines.contains { $0.contains("1 ?x") } && !lines.contains { $0.contains("\u{1B}") })
  }
}
