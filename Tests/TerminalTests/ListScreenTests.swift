import Beacons
import Instants
import Ranging
import Testing

@testable import Terminal

/// The behaviour of every list: keys, order, windows.
@Suite struct ListScreenTests {
  /// Returns a screen of beacons with these distances, of which the minors count from 1.
  private func screen(_ distances: [Double?], at second: Double = 0, _ style: TerminalStyle = plain) -> ListScreen<RangeContent> {
    var screen = ListScreen(RangeContent(subject: galleryUUID, source: "beaconmond", style: style), style: style)
    screen.take(Self.beacons(distances), at: start + .seconds(second))
    return screen
  }

  private static func beacons(_ distances: [Double?]) -> [BeaconReport] {
    distances.enumerated().map { beacon(UInt16($0 + 1), distance: $1) }
  }

  /// Returns the minors in the order of the rows.
  private func minors(_ screen: ListScreen<RangeContent>) -> [String] { screen.visible.map { String($0.id.split(separator: "/")[2]) } }

  /// Sorts by the column with a title.
  private func sort(_ screen: inout ListScreen<RangeContent>, by title: String) {
    for _ in 0..<20 where screen.content.columns[screen.sortColumn].title != title { _ = screen.press(.character("s")) }
  }

  @Test func `rows that are sorted by a changing value move at most every five seconds`() {
    var screen = screen([3, 1, 2])
    sort(&screen, by: " distance m")
    #expect(minors(screen) == ["2", "3", "1"])
    for second in 1...4 {
      screen.take(Self.beacons([1, 2, 3]), at: start + .seconds(Double(second)))
      #expect(minors(screen) == ["2", "3", "1"])
    }
    screen.take(Self.beacons([1, 2, 3, 0.5]), at: start + .seconds(4.5))
    #expect(minors(screen) == ["2", "3", "1", "4"], "a new row is last until then")
    screen.take(Self.beacons([1, 2, 3, 0.5]), at: start + .seconds(5))
    #expect(minors(screen) == ["4", "1", "2", "3"])
  }

  @Test func `rows without a value are last in either order`() {
    var screen = screen([3, nil, 2])
    sort(&screen, by: " distance m")
    #expect(minors(screen) == ["3", "1", "2"])
    #expect(screen.press(.character("r")) == .redraw)
    #expect(minors(screen) == ["1", "3", "2"])
    sort(&screen, by: "minor")
    #expect(minors(screen) == ["1", "2", "3"] && !screen.isDescending)
  }

  @Test func `a typed filter hides rows without the text, and Esc ends it`() {
    var screen = screen((0..<30).map { _ in 1 })
    _ = screen.press(.character("/"))
    for key in "12" { #expect(screen.press(.character(key)) == .redraw) }
    #expect(screen.lines(size: .usual).last == "/12_  Enter: keep, Esc: all")
    #expect(minors(screen) == ["12"])
    // While a filter is typed, keys of commands are text.
    _ = screen.press(.character("q"))
    #expect(minors(screen) == [] && screen.lines(size: .usual)[1] == "no beacon matches the filter \"12q\"")
    _ = screen.press(.backspace)
    _ = screen.press(.enter)
    #expect(screen.lines(size: .usual).last == "1 of 30 beacons  filter \"12\"  by minor  ? help  q quit")
    _ = screen.press(.escape)
    #expect(minors(screen).count == 30)
    _ = screen.press(.character("/"))
    for _ in 0..<100 { _ = screen.press(.character("x")) }
    #expect(screen.filter.count == 60)
    _ = screen.press(.clearLine)
    #expect(screen.filter.isEmpty)
  }

  @Test func `a paused screen stays as it is, and continues with the latest values`() {
    var screen = screen([1.5])
    #expect(screen.press(.character("p")) == .redraw)
    let paused = screen.lines(size: .usual)
    #expect(paused.last == "PAUSED  1 beacon  ? help  q quit" && paused[2].contains("  1.5"))
    screen.take(Self.beacons([7.5, 3]), at: start + .seconds(1))
    #expect(screen.lines(size: .usual) == paused)
    _ = screen.press(.character(" "))
    #expect(screen.lines(size: .usual)[2].contains("  7.5") && minors(screen) == ["1", "2"])
  }

  @Test func `the selected row is marked, stays selected when the order changes, and stays in the window`() {
    var screen = screen((0..<40).map { Double($0) })
    #expect(screen.lines(size: .usual).last == "40 beacons, 1-20 shown  by minor  ? help  q quit")
    _ = screen.press(.down)
    #expect(screen.lines(size: .usual)[2].hasPrefix(">     1  near"))
    for _ in 0..<25 { _ = screen.press(.character("j")) }
    let lines = screen.lines(size: .usual)
    #expect(lines[lines.count - 2].hasPrefix(">    26") && lines.last?.hasPrefix("40 beacons, 7-26 shown") == true)
    sort(&screen, by: " distance m")
    _ = screen.press(.character("r"))
    #expect(screen.selection?.hasSuffix("/26") == true)
    #expect(screen.lines(size: .usual).contains { $0.hasPrefix(">    26") })
    _ = screen.press(.end)
    #expect(screen.selection?.hasSuffix("/1") == true)
    _ = screen.press(.home)
    #expect(screen.selection?.hasSuffix("/40") == true)
    _ = screen.press(.pageDown)
    #expect(screen.selection?.hasSuffix("/21") == true)
    _ = screen.press(.escape)
    #expect(screen.selection == nil)
  }

  @Test func `a selected beacon that is gone ends its large view`() {
    var screen = screen([1, 2])
    _ = screen.press(.enter)
    #expect(screen.mode == .detail && screen.selection?.hasSuffix("/1") == true)
    _ = screen.press(.down)
    #expect(screen.lines(size: .usual)[1].hasPrefix("1/2  "))
    for second in 1...61 { screen.take(Array(Self.beacons([1, 2]).prefix(1)), at: start + .seconds(Double(second))) }
    #expect(screen.mode == .list && screen.selection == nil)
  }

  @Test func `no line of the help is cut in a window of 60 columns`() {
    var survey = ListScreen(SurveyContent(source: "test", style: plain), style: plain)
    _ = survey.press(.character("?"))
    let lines = survey.lines(size: TerminalSize(columns: 60, rows: 20))
    #expect(lines.contains { $0.hasPrefix("  b  ") } && !lines.contains { $0.hasSuffix("…") || $0.hasSuffix("...") }, "\(lines)")
  }

  @Test func `the help lists the keys, and any key leaves it`() {
    var screen = screen([1])
    _ = screen.press(.character("?"))
    let help = screen.lines(size: TerminalSize(columns: 60, rows: 20))
    #expect(
      help.contains("  Enter             the large view, and back")
        && help.contains("  b                 bell on a change of proximity: on"))
    #expect(screen.press(.character("x")) == .redraw && screen.mode == .list)
    #expect(screen.press(.character("x")) == .none)
    #expect(screen.press(.redraw) == .repaint)
    _ = screen.press(.character("h"))
    #expect(screen.press(.character("q")) == .quit)
    _ = screen.press(.enter)
    #expect(screen.press(.character("q")) == .quit)
  }

  @Test(arguments: [20, 39], [24, 50])
  func `a window that is too narrow shows the size that is needed`(columns: Int, rows: Int) {
    var screen = screen([1, 2])
    let text = screen.lines(size: TerminalSize(columns: columns, rows: rows)).joined(separator: " ")
    #expect(text == "this window has \(columns) columns and \(rows) rows; make it at least 40 by 8, or press q")
  }

  @Test(arguments: [1, 2, 5, 10, 20, 39, 40, 41, 60, 79, 80, 132, 200], [1, 2, 3, 7, 8, 9, 12, 20, 24, 50])
  func `every screen fits every window`(columns: Int, rows: Int) {
    let size = TerminalSize(columns: columns, rows: rows)
    for style in [plain, ascii] {
      var screen = screen((0..<30).map { Double($0) * 1e5 }, style)
      var named = beacon(1, major: 9, distance: 1e9, accuracy: 1e9, rssi: -127)
      named.place = "展示室 十一番 特別展示"
      screen.take([named, beacon(2, distance: nil)], reception: BeaconReception(interval: 0.02, loss: 1), at: start)
      screen.note = "beaconmond has stopped; waiting for it to come back"
      for key in [TerminalKey.redraw, .enter, .character("?"), .escape, .escape, .character("/"), .character("展"), .enter, .character("p")]
      {
        _ = screen.press(key)
        let lines = screen.lines(size: size)
        #expect(lines.count <= max(1, rows - 1), "\(key): \(lines)")
        #expect(lines.allSatisfy { $0.columns <= max(2, columns) }, "\(key): \(lines)")
      }
    }
  }
}
