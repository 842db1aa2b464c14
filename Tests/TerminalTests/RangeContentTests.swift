import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Testing

@testable import Terminal

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

/// The screen of `beaconmon range`.
@Suite struct RangeContentTests {
  private func content(_ style: TerminalStyle = plain, subject: String = galleryUUID) -> RangeContent {
    RangeContent(subject: subject, source: "capture:walk.btsnoop", style: style)
  }

  private func screen(_ style: TerminalStyle = plain) -> ListScreen<RangeContent> { ListScreen(content(style), style: style) }

  private let few = [
    beacon(5), beacon(12, proximity: .far, distance: 123.456, accuracy: 45.678, rssi: -88, lastSeen: start),
    beacon(7, proximity: .unknown, distance: nil, accuracy: nil, rssi: nil),
  ]

  private static let window = TerminalSize(columns: 90, rows: 24)

  @Test func `a window of 90 columns shows the whole table, in the order of the minors`() {
    var screen = screen()
    for (second, rssi) in [-100.0, -95, -85, -75, -65, -60, -50, -40].enumerated() {
      screen.take([beacon(5, rssi: rssi)], at: start + .seconds(Double(second)))
    }
    screen.take(few, reception: BeaconReception(interval: 0.1, loss: 0.017), at: start + .seconds(8.25))
    #expect(
      screen.lines(size: Self.window) == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d  capture:walk.btsnoop  12:44:53Z",
        "  minor  proximity   distance m        dBm  last 20 s         adv/s  sent/s   loss    seen",
        "      5  near         2.3 ± 1.2      -61.2         ▁▁▃▄▆▆██▆    9.8    10.0    2 %   8.3 s",
        "      7  –              –                –                      9.8    10.0    2 %   8.3 s",
        "     12  far          123 ± 46       -88.0                 ▂    9.8    10.0    2 %   8.3 s",
        "3 beacons  by minor  ? help  q quit",
      ])
  }

  @Test func `a window of 40 columns shows the most important columns`() {
    var screen = screen()
    screen.take(few, reception: BeaconReception(interval: 0.1, loss: 0.017), at: start + .seconds(1))
    #expect(
      screen.lines(size: TerminalSize(columns: 40, rows: 24)) == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "  minor  proximity   distance m",
        "      5  near         2.3 ± 1.2",
        "      7  –              –",
        "     12  far          123 ± 46",
        "3 beacons  by minor  ? help  q quit",
      ])
  }

  @Test func `the interval and the loss are unknown until they are learned, and while a beacon is silent`() {
    var screen = screen()
    screen.take([beacon(5)], at: start)
    #expect(screen.lines(size: Self.window)[2].hasSuffix("9.8       –      –   0.0 s"))
    screen.take([beacon(5)], reception: BeaconReception(interval: 0.5, loss: 0), at: start + .seconds(1))
    #expect(screen.lines(size: Self.window)[2].hasSuffix("9.8     2.0    0 %   1.0 s"))
    screen.take([], at: start + .seconds(2))
    #expect(screen.lines(size: Self.window)[2].hasSuffix("–       –      –   2.0 s"))
  }

  @Test func `the names of places have a column, in which wide characters count twice`() {
    var screen = screen()
    var (named, chinese, long) = (beacon(5), beacon(7), beacon(12))
    (named.place, chinese.place, long.place) = ("Lodestone", "展示室 磁石", "Harrison's marine chronometer")
    screen.take([named, chinese, long], at: start + .seconds(1))
    #expect(
      screen.lines(size: .usual)[1...4] == [
        "  minor  place                   proximity   distance m        dBm  adv/s   loss",
        "      5  Lodestone               near         2.3 ± 1.2      -61.2    9.8      –",
        "      7  展示室 磁石             near         2.3 ± 1.2      -61.2    9.8      –",
        "     12  Harrison's marine chr…  near         2.3 ± 1.2      -61.2    9.8      –",
      ])
  }

  @Test func `a line for a pipe ends with the name of the place`() {
    var named = beacon(5)
    named.place = "Marine chronometer"
    #expect(RangeLine.text(named, at: start).hasSuffix("   0.0  Marine chronometer"))
    #expect(RangeLine.text(beacon(5), at: start).hasSuffix("   0.0"))
  }

  @Test func `majors and UUIDs are shown if they differ`() {
    var screen = screen(ascii)
    var other = beacon(5, major: 2)
    other.uuid = BeaconUUID(high: 0x0123_4567_0000_0000, low: 1)
    screen.take([beacon(5), other], at: start + .seconds(1))
    let lines = screen.lines(size: TerminalSize(columns: 120, rows: 24))
    #expect(lines[1].hasPrefix("  uuid      major  minor  proximity"))
    #expect(lines[2].hasPrefix("  01234567      2      5  near         2.3 +- 1.2 "))
    #expect(lines[3].hasPrefix("  8ec76ea3      1      5  near "))
  }

  @Test func `a beacon that is silent keeps its row for a minute, and its history with a gap`() {
    var screen = screen()
    screen.take([beacon(5, rssi: -40), beacon(9)], at: start)
    screen.take([beacon(9)], at: start + .seconds(1))
    #expect(screen.lines(size: Self.window)[2].hasPrefix("      5  –  "))
    screen.take([beacon(5, rssi: -100), beacon(9)], at: start + .seconds(2))
    #expect(screen.lines(size: Self.window)[2].contains("█ ▁"))
    for second in 3...62 { screen.take([beacon(9)], at: start + .seconds(Double(second))) }
    #expect(screen.lines(size: Self.window).count { $0.hasPrefix("      5") } == 0)
  }

  @Test func `the memory of a screen is limited whatever is in range`() {
    var content = content()
    for second in 0..<40 {
      let beacons = (0..<500).map { (report: beacon(UInt16(second * 500 + $0)), reception: BeaconReception()) }
      content.take(beacons, at: start + .seconds(Double(second)))
    }
    #expect(content.rows.count <= 4096 && content.rows.last?.id.hasSuffix("/19999") == true)
  }

  @Test func `the large view has the distance in digits of five rows, the reception and plots`() {
    var screen = screen()
    for second in 0..<30 {
      let near = beacon(5, distance: 2 + Double(second) / 10, accuracy: 1.2, rssi: -60 - Double(second) / 2)
      screen.take([near], reception: BeaconReception(interval: 0.105, loss: 0.04), at: start + .seconds(Double(second)))
    }
    #expect(screen.press(.enter) == .redraw)
    #expect(
      screen.lines(size: TerminalSize(columns: 60, rows: 20)) == [
        "8ec76ea3-6668-48da-9866-75be8bc86f4d  12:45:13Z",
        "1/5  8ec76ea3-6668-48da-9866-75be8bc86f4d",
        "",
        "  ██  ██      ██████",
        "  ██  ██      ██  ██",
        "  ██████      ██████        ██████████",
        "      ██          ██        ██  ██  ██",
        "      ██  ██  ██████        ██  ██  ██",
        "",
        "NEAR  4.9 m ± 1.2  -74.5 dBm  seen 29.0 s ago",
        "9.8 of 9.5 advertisements/s, interval 105 ms, loss 4 %",
        "  RSSI in dBm, last 60 s",
        "   -60│                           █▇▇▆▅▅▄▄▃▃▂▁▁",
        "   -75│                           ██████████████▇▇▆▆▅▄▄▃▃▂▂▁",
        "  distance in m, last 60 s",
        "     5│                                 ▁▁▁▂▂▃▃▃▄▄▄▄▅▅▆▆▆▇▇█",
        "     0│                           ▆▇▇███████████████████████",
        "Enter: list  up/down: others  ? help  q quit",
      ])
    #expect(screen.press(.enter) == .redraw)
    #expect(screen.lines(size: .usual)[1].hasPrefix("  minor"))
  }

  @Test func `the digits grow with the window, and a small one has neither digits nor plots`() {
    var screen = screen(ascii)
    screen.take([beacon(5, distance: 12.3)], at: start)
    _ = screen.press(.enter)
    func digits(_ columns: Int, _ rows: Int) -> Int {
      screen.lines(size: TerminalSize(columns: columns, rows: rows)).count { $0.hasPrefix("  ") && $0.contains("##") && !$0.contains("|") }
    }
    #expect(digits(60, 20) == 5 && digits(80, 24) == 10 && digits(132, 50) == 20 && digits(40, 8) == 0)
  }

  @Test func `a change of proximity rings the bell once, of the selected beacon if there is one`() {
    var screen = screen()
    screen.take([beacon(5), beacon(7)], at: start)
    screen.take([beacon(5, proximity: .far), beacon(7)], at: start + .seconds(1))
    #expect(screen.takeBell() == false, "the bell is off at first")
    _ = screen.press(.character("b"))
    screen.take([beacon(5, proximity: .near), beacon(7)], at: start + .seconds(2))
    #expect(screen.takeBell() == true)
    #expect(screen.takeBell() == false)
    // Silence in between is not a change.
    screen.take([beacon(5, proximity: .unknown), beacon(7)], at: start + .seconds(3))
    screen.take([beacon(5, proximity: .near), beacon(7)], at: start + .seconds(4))
    #expect(screen.takeBell() == false)
    _ = screen.press(.end)
    screen.take([beacon(5, proximity: .far), beacon(7)], at: start + .seconds(5))
    #expect(screen.takeBell() == false, "7 is selected")
    screen.take([beacon(5, proximity: .far), beacon(7, proximity: .immediate)], at: start + .seconds(6))
    #expect(screen.takeBell() == true)
  }

  @Test func `a screen without beacons states that there are none, and why it ended`() {
    var screen = screen()
    screen.note = "the capture has ended"
    screen.hasKeys = false
    #expect(
      screen.lines(size: .usual) == [
        "\(galleryUUID)  capture:walk.btsnoop", "no beacon in range", "the capture has ended", "0 beacons  Ctrl-C ends",
      ])
  }

  @Test func `control characters in names do not reach the terminal`() {
    var screen = ListScreen(RangeContent(subject: "a\u{1B}[2J", source: "b\u{9B}c\n", style: plain), style: plain)
    var named = beacon(5)
    named.place = "x\u{1B}]0;y\u{7}"
    screen.take([named], at: start)
    #expect(screen.lines(size: .usual).first == "a?[2J  b?c?  12:44:44Z")
    #expect(!screen.lines(size: .usual).joined().contains("\u{1B}"))
    _ = screen.press(.enter)
    #expect(!screen.lines(size: .usual).joined().contains("\u{1B}"))
  }

  @Test func `colour codes do not count as width`() {
    let style = TerminalStyle(hasColours: true, hasUnicode: true, canRedraw: true)
    var screen = screen(style)
    screen.take([beacon(5)], at: start)
    #expect(screen.lines(size: TerminalSize(columns: 40, rows: 24))[2] == "\u{1B}[32m      5  near         2.3 ± 1.2\u{1B}[0m")
  }
}

extension ListScreen<RangeContent> {
  /// Takes a snapshot in which every beacon has the same reception.
  mutating func take(_ beacons: [BeaconReport], reception: BeaconReception = BeaconReception(), at time: Instant) {
    update { $0.take(beacons.map { ($0, reception) }, at: time) }
  }
}
