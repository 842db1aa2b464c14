import Beacons
import Instants
import Ranging
import Records
import Testing

@testable import Terminal

/// The screen of `beaconmon scan`, and its result in a pipe.
@Suite struct ScanContentTests {
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

  private func screen(_ scan: ScanReport, _ style: TerminalStyle = plain) -> ListScreen<ScanContent> {
    var screen = ListScreen(ScanContent(source: "beaconmond", style: style), style: style)
    screen.update { $0.take(scan) }
    return screen
  }

  private func text(_ scan: ScanReport) -> [Substring] { ScanText(source: "beaconmond", style: plain).text(scan).split(separator: "\n") }

  @Test func `a window of 80 columns shows the whole scan`() {
    var screen = screen(Self.scan())
    #expect(
      screen.lines(size: .usual) == [
        "scan  beaconmond  12:44:54Z  10 s",
        "  uuid                    beacons     dBm       m   adv/s     seen  major/minor",
        "  8ec76ea3-6668-48da-98…       18   -61.2    1.29    84.1    0.1 s  1/5 1/12, a…",
        "other advertisements: 3 Eddystone",
        "next: beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "1 UUID  ? help  q quit",
      ])
  }

  @Test func `the large view of a UUID lists its beacons and the next command`() {
    var screen = screen(Self.scan())
    _ = screen.press(.enter)
    #expect(
      screen.lines(size: .usual).dropFirst() == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "major/minor  dBm  m  adv/s  seen",
        "1/5          –    –  –      –",
        "1/12         –    –  –      –",
        "and 16 more",
        "next: beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "Enter: list  up/down: others  ? help  q quit",
      ])
  }

  @Test func `a pipe receives the whole table with the beacons of each UUID`() {
    #expect(
      text(Self.scan()) == [
        "scan  beaconmond  12:44:54Z  10 s",
        "uuid                                  beacons     dBm       m   adv/s     seen",
        "8ec76ea3-6668-48da-9866-75be8bc86f4d       18   -61.2    1.29    84.1    0.1 s",
        "  1/5 1/12, and 16 more",
        "other advertisements: 3 Eddystone",
        "next: beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d",
      ])
    #expect(text(Self.scan((0..<32).map { _ in Self.group })).count == 1 + 1 + 64 + 1 + 1)
    #expect(text(Self.scan([], kinds: [:])) == ["scan  beaconmond  12:44:54Z  10 s", "no beacon in range"])
  }

  @Test func `entries that are not shown are counted`() {
    let note = "not shown: 39 weaker UUIDs, 7 silent beacons, 123 advertisements of beacons beyond the limit of a scan"
    var screen = screen(Self.scan(cut: true))
    #expect(screen.lines(size: TerminalSize(columns: 200, rows: 24)).contains(note))
    #expect(text(Self.scan(cut: true)).contains(Substring(note)))
  }

  @Test func `the screen of a scan without a beacon states that there is none`() {
    var screen = screen(Self.scan([], kinds: [:]))
    #expect(screen.lines(size: .usual) == ["scan  beaconmond  12:44:54Z  10 s", "no beacon in range", "0 UUIDs  ? help  q quit"])
  }

  @Test func `control characters in a kind from the daemon do not reach the terminal`() {
    var screen = screen(Self.scan(kinds: ["\u{1B}x": 1]))
    let lines = screen.lines(size: .usual)
    #expect(lines.contains { $0.contains("1 ?x") } && !lines.contains { $0.contains("\u{1B}") })
  }
}
