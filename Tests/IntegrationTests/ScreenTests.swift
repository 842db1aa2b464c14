import Foundation
import TestSupport
import Testing

/// The interactive screens in a real terminal, against expected screens.
@Suite(.serialized) struct ScreenTests {
  /// The walk, of which the screen shows the end.
  private static let walk = "'\(Programs.commandLine)' range \(ReplayTests.walkUUID) --capture '\(Stage.walk)' --speed max --utc"
  private static let ended = "the capture has ended"

  @Test(arguments: [(60, 20), (80, 24), (132, 50)])
  func `range has a list and a large view in windows of three sizes`(columns: Int, rows: Int) throws {
    let window = try TmuxWindow(columns: columns, rows: rows)
    try window.type(Self.walk)
    let list = try window.wait(for: Self.ended)
    try ExpectedScreen.compare(list, "range-\(columns)x\(rows)")
    try window.press("End", "Enter")
    try ExpectedScreen.compare(try window.wait(for: "Enter: list"), "range-\(columns)x\(rows)-large")
    try window.press("Up", "Up")
    try window.wait(for: "1/10  \(ReplayTests.walkUUID)")
    try window.press("Enter")
    try window.wait(for: ">    10  near")
  }

  @Test func `range is readable in ASCII and without colours`() throws {
    let window = try TmuxWindow(columns: 80, rows: 24, environment: ["LC_ALL": "C", "NO_COLOR": "1"])
    try window.type(Self.walk)
    let list = try window.wait(for: Self.ended)
    try ExpectedScreen.compare(list, "range-ascii")
    try window.press("End", "Enter")
    let large = try window.wait(for: "Enter: list")
    try ExpectedScreen.compare(large, "range-ascii-large")
    #expect((list + large).allSatisfy { line in line.utf8.allSatisfy { $0 < 0x80 } })
    #expect(try !window.lines(styled: true).joined().contains("\u{1B}["))
  }

  @Test func `range shows the proximity in colours where there are any`() throws {
    let window = try TmuxWindow(columns: 80, rows: 24)
    try window.type(Self.walk)
    try window.wait(for: Self.ended)
    let near = try window.lines(styled: true).filter { $0.contains("  near  ") }
    #expect(near.count == 2 && near.allSatisfy { $0.contains("\u{1B}[32m") })
  }

  @Test func `range without a UUID shows the beacons of a venue with their names, of which characters can be wide`() throws {
    let stage = try Stage()
    let places = [(1, "磁石"), (5, "展示室 十一番"), (12, "海洋クロノメーター")]
    var venue = """
      format = 1
      name = { ja = "美術館" }
      uuid = "\(ReplayTests.walkUUID)"
      [[level]]
      id = "ground"
      walkable = [[[0, 0], [20, 0], [20, 10], [0, 10]]]

      """
    for (minor, name) in places {
      venue += """
        [[beacon]]
        major = 1
        minor = \(minor)
        position = [\(minor), 3]
        [[place]]
        id = "p\(minor)"
        kind = "exhibit"
        beacon = [1, \(minor)]
        title = { ja = "\(name)" }

        """
    }
    _ = try stage.file("venue.toml", venue)
    let config = try stage.file("config.toml", "venues = [\"venue.toml\"]\n")
    let window = try TmuxWindow(columns: 80, rows: 24)
    try window.type("'\(Programs.commandLine)' range --capture '\(Stage.walk)' --config '\(config)' --speed max --utc")
    try ExpectedScreen.compare(try window.wait(for: Self.ended), "range-wide")
    try window.press("/")
    try window.type("展示")
    try window.wait(for: "1 of 3 beacons  filter \"展示\"")
    try window.press("Enter")
    try window.wait(for: "展示室 十一番  1/5  \(ReplayTests.walkUUID)")
  }

  @Test func `the screen follows the size of its window, and states if the window is too narrow`() throws {
    let window = try TmuxWindow(columns: 132, rows: 50)
    try window.type(Self.walk)
    try window.wait(for: "sent/s")
    try window.resize(columns: 60, rows: 20)
    #expect(try window.wait(for: "loss", without: "sent/s") == (try window.lines()))
    try window.resize(columns: 20, rows: 20)
    #expect(
      try window.wait(for: "press q") == ["this window has 20", "columns and 20 rows;", "make it at least 40", "by 8, or press q"])
    try window.resize(columns: 132, rows: 50)
    try window.wait(for: "sent/s")
    try window.press("q")
    try window.wait(for: "ready>")
  }

  @Test(arguments: ["q", "C-c"])
  func `the terminal is restored when the screen ends`(key: String) throws {
    let window = try TmuxWindow(columns: 80, rows: 24)
    try window.type("stty -a > before; \(Self.walk); echo status $?; stty -a | cmp - before && echo same; rm before")
    try window.wait(for: Self.ended)
    #expect(try !window.showsCursor)
    try window.press(key)
    try window.wait(for: "same")
    let lines = try window.wait(for: "status 0")
    #expect(try window.showsCursor)
    // The last frame stays, and the shell continues below it.
    #expect(lines.contains { $0.contains("minor  proximity") })
  }

  @Test func `Ctrl-Z releases the terminal, and fg continues with the screen`() throws {
    let window = try TmuxWindow(columns: 80, rows: 24)
    try window.type("stty -a > before")
    try window.type(Self.walk)
    try window.wait(for: Self.ended)
    try window.press("C-z")
    try window.wait(for: "Stopped")
    #expect(try window.showsCursor)
    try window.type("clear; stty -a | cmp - before && echo same; rm before")
    try window.wait(for: "same", without: "Stopped")
    try window.type("fg")
    try window.wait(for: Self.ended, without: "same")
    #expect(try !window.showsCursor)
    try window.press("Down", "Enter")
    try window.wait(for: "1/1  \(ReplayTests.walkUUID)")
    try window.press("C-z")
    try window.wait(for: "Stopped")
    // In the background the program neither paints nor reads.
    try window.type("clear; bg; echo here")
    try window.wait(for: "here", without: "1/1  ")
    try window.type("kill %1; wait; echo gone")
    try window.wait(for: "gone")
  }

  @Test func `a terminal that cannot redraw gets lines as a pipe does`() throws {
    let window = try TmuxWindow(columns: 132, rows: 50)
    try window.type("TERM=dumb \(Self.walk); echo do''ne")
    let lines = try window.wait(for: "done")
    #expect(lines.contains { $0.hasPrefix("2020-02-09T12:46:08.000000Z      1      7  far ") }, "\(lines)")
    #expect(try window.showsCursor && !window.lines(styled: true).contains { $0.contains("\u{1B}[") })
  }

  @Test func `scan lists UUIDs, and the beacons of the selected one`() throws {
    let scene = try SessionScene()
    let window = try TmuxWindow(columns: 100, rows: 24)
    try window.type("'\(Programs.commandLine)' scan --bus '\(scene.stage.bus.address)'")
    var second = 1.0
    // The screen appears before the daemon has begun to scan.
    try wait(for: "the beacons on the screen") {
      for minor in UInt16(1)...12 { try scene.feed.hear(minor: minor, at: second) }
      second += 1
      return try window.lines().contains { $0.hasPrefix("  \(CaptureOctets.uuid)       12") }
    }
    try window.press("Enter")
    let large = try window.wait(for: "major/minor  dBm")
    #expect(large.contains { $0.hasPrefix("1/7          -59.0") }, "\(large)")
    try window.press("q")
    try window.wait(for: "ready>")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `range without a UUID shows what the daemon has configured, with names, interval and loss`() throws {
    let scene = try SessionScene(
      config: "venues = [\"gallery.toml\"]\n" + Stage.hall, files: ["gallery.toml": VenueTests.gallery])
    let window = try TmuxWindow(columns: 120, rows: 24)
    try window.type("'\(Programs.commandLine)' range --bus '\(scene.stage.bus.address)'")
    try window.wait(for: "configured beacons")
    for tenth in 1...50 { try scene.feed.hear(minor: 1, at: 1 + Double(tenth) / 10) }
    try scene.feed.hear(minor: 1, at: 6.05)
    let lines = try window.wait(for: "Lodestone")
    let learned = try window.wait(for: "10.0    0 %")
    #expect(lines.contains { $0.contains("place") } && learned.contains { $0.contains("Lodestone") })
    try window.press("q")
    try window.wait(for: "ready>")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `monitor shows regions and events, and status is renewed`() throws {
    let scene = try SessionScene()
    let window = try TmuxWindow(columns: 100, rows: 30)
    try window.type("'\(Programs.commandLine)' monitor --bus '\(scene.stage.bus.address)' --utc")
    let first = try window.wait(for: "inside")
    #expect(first.contains { $0.hasPrefix("  hall          inside   2020-09-13 12:26:40Z  1/1") }, "\(first)")
    try scene.feed.hear(minor: 3, at: 100)
    let lines = try window.wait(for: "  exit   hall ")
    #expect(lines.contains { $0.hasPrefix("2020-09-13 12:27:") })
    try window.press("Enter")
    try window.wait(for: "last seen  2020-09-13 12:28:20Z")
    try window.press("q")
    try window.wait(for: "ready>")
    try window.type("clear; '\(Programs.commandLine)' status --watch --bus '\(scene.stage.bus.address)' --utc")
    try window.wait(for: "journal")
    try scene.feed.hear(minor: 4, at: 101)
    try window.wait(for: "2020-09-13 12:28:21Z")
    scene.daemon.signal(SIGTERM)
    _ = try scene.daemon.exitStatus()
    try window.wait(for: "beaconmond has stopped; waiting for it")
    try window.press("q")
    try window.wait(for: "ready>", without: "Enter: list")
  }
}
