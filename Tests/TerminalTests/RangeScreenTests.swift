import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Terminal
import Testing

let start = Instant(microseconds: 1_581_252_284_779_766)
let plain = TerminalStyle(hasColours: false, hasUnicode: true, canRedraw: true)
let ascii = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: true)
let galleryUUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

func beacon(
  _ minor: UInt16, major: UInt16 = 1, proximity: BeaconProximity = .near, distance: Double? = 2.314, accuracy: Double? = 1.2,
  rssi: Double? = -61.24,
  lastSeen: Instant = start
) -> BeaconReport {
  var beacon = BeaconReport()
  (beacon.uuid, beacon.major, beacon.minor) = (BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d), major, minor)
  (beacon.proximity, beacon.distance, beacon.accuracy, beacon.rssi) = (proximity, distance, accuracy, rssi)
  (beacon.rate, beacon.lastSeen) = (9.84, lastSeen)
  return beacon
}

@Suite struct RangeScreenTests {
  private func screen(_ style: TerminalStyle = plain) -> RangeScreen {
    RangeScreen(subject: galleryUUID, source: "capture:walk.btsnoop", style: style)
  }

  private let few = [
    beacon(5), beacon(12, proximity: .far, distance: 123.456, accuracy: 45.678, rssi: -88, lastSeen: start),
    beacon(7, proximity: .unknown, distance: nil, accuracy: nil, rssi: nil),
  ]

  @Test func `a window of 80 columns shows the whole table`() {
    var screen = screen()
    for (second, rssi) in [-100.0, -95, -85, -75, -65, -60, -50, -40].enumerated() {
      screen.take([beacon(5, rssi: rssi)], at: start + .seconds(Double(second)))
    }
    screen.take(few, at: start + .seconds(8.25))
    #expect(
      screen.lines(size: .usual) == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d  capture:walk.btsnoop  12:44:53Z",
        "minor  proximity   distance m        dBm  last 20 s             adv/s    seen",
        "    5  near         2.3 ± 1.2      -61.2             ▁▁▃▄▆▆██▆    9.8   8.3 s",
        "   12  far          123 ± 46       -88.0                     ▂    9.8   8.3 s",
        "    7  –              –                –                          9.8   8.3 s",
      ])
  }

  @Test func `a window of 40 columns shows the most important columns`() {
    var screen = screen()
    screen.take(few, at: start + .seconds(1))
    #expect(
      screen.lines(size: TerminalSize(columns: 40, rows: 24)) == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "minor  proximity   distance m        dBm",
        "    5  near         2.3 ± 1.2      -61.2",
        "   12  far          123 ± 46       -88.0",
        "    7  –              –                –",
      ])
  }

  @Test func `the names of places have a column as wide as the longest, and no column without a venue`() {
    var screen = screen()
    var (named, long, bare) = (beacon(5), beacon(12), beacon(7))
    named.place = "Lodestone"
    long.place = "Harrison's marine chronometer"
    bare.place = nil
    screen.take([named, long, bare], at: start + .seconds(1))
    #expect(
      screen.lines(size: .usual).dropFirst() == [
        "minor  place                     proximity   distance m        dBm  adv/s",
        "    5  Lodestone                 near         2.3 ± 1.2      -61.2    9.8",
        "   12  Harrison's marine chron…  near         2.3 ± 1.2      -61.2    9.8",
        "    7  –                         near         2.3 ± 1.2      -61.2    9.8",
      ])
    screen.take([named], at: start + .seconds(2))
    #expect(
      screen.lines(size: .usual)[1] == "minor  place      proximity   distance m        dBm  last 12 s     adv/s    seen")
  }

  @Test func `a line for a pipe ends with the name of the place`() {
    var named = beacon(5)
    named.place = "Marine chronometer"
    #expect(RangeLine.text(named, at: start).hasSuffix("   0.0  Marine chronometer"))
    #expect(RangeLine.text(beacon(5), at: start).hasSuffix("   0.0"))
  }

  @Test func `a note wraps in a narrow window`() {
    var screen = screen()
    screen.take(few, at: start + .seconds(1))
    screen.note = "there is no Bluetooth adapter; plug one in, or name a capture as the source"
    let lines = screen.lines(size: TerminalSize(columns: 40, rows: 24))
    #expect(lines.count == 7)
    #expect(lines.suffix(2) == ["there is no Bluetooth adapter; plug one", "  in, or name a capture as the source"])
  }

  @Test func `majors are shown if they differ, in ASCII without Unicode`() {
    var screen = screen(ascii)
    screen.take([beacon(5), beacon(5, major: 2, proximity: .unknown, distance: nil, accuracy: nil)], at: start + .seconds(1))
    #expect(
      screen.lines(size: .usual).dropFirst() == [
        "major  minor  proximity   distance m        dBm  last 16 s         adv/s    seen",
        "    1      5  near         2.3 +- 1.2     -61.2                 +    9.8   1.0 s".replacing(
          "                +", with: "                +"
        ).replacing("    9.8", with: "    9.8"),
        "    2      5  -              -            -61.2                 +    9.8   1.0 s".replacing(
          "                +", with: "                +"
        ).replacing("    9.8", with: "    9.8"),
      ])
  }

  @Test(
    arguments: [(24, 20, 20, nil), (24, 21, 21, nil), (24, 22, 20, "… 2 more"), (5, 12, 1, "… 11 more"), (4, 12, 0, "… 12 more")]
      as [(Int, Int, Int, String?)])
  func `beacons that do not fit are counted`(rows: Int, beacons: Int, shown: Int, more: String?) {
    var screen = screen()
    screen.take((1...UInt16(beacons)).map { beacon($0) }, at: start)
    let lines = screen.lines(size: TerminalSize(columns: 80, rows: rows))
    #expect(lines.count < rows)
    #expect(lines.count { $0.contains(" near ") } == shown)
    #expect(lines.last { $0.contains("more") } == more)
  }

  @Test(arguments: [1, 2, 5, 10, 20, 30, 39, 40, 41, 60, 79, 80, 200], [1, 2, 3, 24])
  func `the screen fits the smallest window`(columns: Int, rows: Int) {
    for style in [plain, ascii] {
      var screen = screen(style)
      screen.take(few + [beacon(1, major: 9, distance: 1e9, accuracy: 1e9, rssi: -127)], at: start)
      screen.note = "the capture has ended"
      let lines = screen.lines(size: TerminalSize(columns: columns, rows: rows))
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(lines.count <= max(1, rows - 1))
    }
  }

  @Test func `a screen without beacons states that there are none, and why it ended`() {
    var screen = screen()
    screen.note = "the capture has ended"
    #expect(screen.lines(size: .usual) == ["\(galleryUUID)  capture:walk.btsnoop", "no beacon in range", "the capture has ended"])
    screen.take([], at: start)
    #expect(screen.lines(size: .usual).first == "\(galleryUUID)  capture:walk.btsnoop  12:44:44Z")
  }

  @Test func `a beacon that returns still has its history, with a gap`() {
    var screen = screen()
    screen.take([beacon(5, rssi: -40)], at: start)
    screen.take([], at: start + .seconds(1))
    screen.take([beacon(5, rssi: -100)], at: start + .seconds(2))
    #expect(screen.lines(size: .usual).last?.contains("█ ▁") == true)
  }

  @Test func `control characters in names do not reach the terminal`() {
    let screen = RangeScreen(subject: "a\u{1B}[2J", source: "b\u{9B}c\n", style: plain)
    #expect(screen.lines(size: .usual).first == "a?[2J  b?c?")
  }

  @Test func `colour codes do not count as width`() {
    var screen = screen(TerminalStyle(hasColours: true, hasUnicode: true, canRedraw: true))
    screen.take([beacon(5)], at: start)
    #expect(screen.lines(size: TerminalSize(columns: 40, rows: 24)).last == "\u{1B}[32m    5  near         2.3 ± 1.2      -61.2\u{1B}[0m")
  }
}
