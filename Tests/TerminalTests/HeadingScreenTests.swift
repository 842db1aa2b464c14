import Instants
import Locations
import Testing

@testable import Terminal

@Suite struct HeadingScreenTests {
  private static let plain = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: true)
  private static let rich = TerminalStyle(hasColours: true, hasUnicode: true, canRedraw: true)
  private static let sizes = [
    TerminalSize(columns: 60, rows: 20), TerminalSize(columns: 80, rows: 24), TerminalSize(columns: 200, rows: 60),
    TerminalSize(columns: 20, rows: 6), TerminalSize(columns: 3, rows: 2), TerminalSize(columns: 1, rows: 1),
  ]

  private func update(_ heading: Double?, accuracy: Double? = nil, field: [Double] = [20, -5.5, 43]) -> HeadingUpdate {
    var update = HeadingUpdate()
    update.setDirection(.heading, magnetic: heading.map { $0 - 4 }, true: heading)
    (update.accuracy, update.trueAccuracy, update.source) = (accuracy, accuracy, "iio")
    update.setField(x: field[0], y: field[1], z: field[2])
    return update
  }

  private func screen(_ updates: [HeadingUpdate], style: TerminalStyle = plain, showsField: Bool = false) -> HeadingScreen {
    var screen = HeadingScreen(style: style, showsField: showsField)
    for update in updates { screen.take(update) }
    return screen
  }

  /// Returns a line without its colours.
  private func bare(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  private func place(of letter: Character, in lines: [String]) -> (row: Int, column: Int)? {
    for (row, line) in lines.enumerated() {
      if let index = line.firstIndex(of: letter) { return (row, line.distance(from: line.startIndex, to: index)) }
    }
    return nil
  }

  @Test func `the field is shown before the calibration, which it does not need`() {
    var needed = CalibrationStatus(isNeeded: true, progress: 0.4, covered: Array(repeating: false, count: 96))
    needed.coverage = String(repeating: "10", count: 48)
    for showsField in [true, false] {
      var screen = screen((0..<100).map { update(10, field: [Double($0), 0, 0]) }, showsField: showsField)
      let before = screen.lines(size: .usual)
      screen.take(needed)
      #expect((screen.lines(size: .usual).dropFirst() == before.dropFirst()) == showsField)
    }
  }

  @Test(arguments: sizes, [plain, rich])
  func `no screen is wider or higher than its window, with a row to spare`(size: TerminalSize, style: TerminalStyle) {
    var needed = CalibrationStatus(isNeeded: true, progress: 0.4, covered: Array(repeating: false, count: 96))
    needed.coverage = String(repeating: "10", count: 48)
    for showsField in [false, true] {
      var one = screen([update(123, accuracy: 12)], style: style, showsField: showsField)
      one.note = "the field is disturbed; move away from magnets and iron"
      var two = screen((0..<600).map { update(Double($0 % 360), field: [Double($0), 0, 900]) }, style: style, showsField: showsField)
      var three = HeadingScreen(style: style, showsField: showsField)
      for step in 0..<4 {
        for screen in [one, two, three] {
          let lines = screen.lines(size: size)
          #expect(lines.count <= max(1, size.rows - 1), "\(size) \(step)")
          #expect(lines.allSatisfy { bare($0).columns <= size.columns }, "\(size) \(lines)")
          if !style.hasUnicode { #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }) }
        }
        if step == 1 {
          for take in [needed] {
            one.take(take)
            two.take(take)
            three.take(take)
          }
        }
      }
    }
  }

  @Test(arguments: [(0.0, 0, 1), (90, -1, 0), (180, 0, -1), (270, 1, 0)])
  func `north turns opposite to the device`(heading: Double, right: Int, up: Int) throws {
    let lines = CompassRose(heading: heading, accuracy: nil).lines(radius: 8, style: Self.plain)
    #expect(lines.count == 17 && lines.allSatisfy { $0.count == 33 })
    // The letter N of NE and NW comes in other rows or columns than the middle ones.
    let (row, column) = (8 - up * 8, 16 + right * 16)
    #expect(Array(lines[row])[column] == "N", "\(lines.joined(separator: "\n"))")
  }

  @Test func `the cone is as wide as the accuracy, and there is none without one`() {
    func cells(_ accuracy: Double?) -> Int {
      CompassRose(heading: 40, accuracy: accuracy).lines(radius: 8, style: Self.plain).joined().count { $0 == ":" }
    }
    #expect(cells(nil) == 0)
    #expect(cells(5) > 0 && cells(5) < cells(20) && cells(20) < cells(60) && cells(60) < cells(180))
    #expect(cells(.infinity) == 0 && cells(400) == cells(180))
  }

  @Test func `a rose without a heading has no needle and no letters`() {
    let lines = CompassRose(heading: nil, accuracy: 10).lines(radius: 6, style: Self.plain)
    #expect(!lines.joined().contains { "NESW^|:".contains($0) } && lines.joined().contains("?"))
  }

  @Test func `the title has both headings with their accuracies, and 359.6 is 0`() {
    let title = screen([update(359.6, accuracy: 3.2)]).lines(size: .usual).first
    #expect(title == "0 deg true +- 4 deg N, 356 deg magnetic +- 4 deg, from iio")
    #expect(screen([update(nil)]).lines(size: .usual).first == "no heading, from iio")
    #expect(screen([update(90)]).lines(size: TerminalSize(columns: 16, rows: 8)).first == "90 deg true E")
  }

  @Test func `a course has a title of its own, and no magnetic north is drawn`() {
    var course = HeadingUpdate()
    course.setDirection(.course, magnetic: nil, true: 45)
    let lines = screen([course]).lines(size: .usual)
    #expect(lines.first == "45 deg course NE" && !lines.dropFirst().joined().contains("m"))
    #expect(screen([update(45)]).lines(size: .usual).dropFirst().joined().contains("m"))
  }

  @Test func `the detector plots each component with its own scale, the newest at the right`() throws {
    let lines = screen((0..<100).map { update(10, field: [Double($0), 0, 0]) }, showsField: true).lines(size: .usual)
    let names = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(["x", "y", "z", "field"].allSatisfy(names.contains))
    let x = try #require(lines.first { $0.hasPrefix("x") })
    #expect(x.hasPrefix("x       99.0 uT") && x.count == 80 && x.last == "#")
    #expect(FieldPlot.range(of: [3.0]) == (-2, 8) && FieldPlot.range(of: [0.0, 50]) == (0, 50))
  }

  @Test(arguments: [(24, 4), (50, 11)])
  func `the plots are separated where there is room`(rows: Int, height: Int) {
    let screen = screen((0..<200).map { update(10, field: [Double($0), 0, 900]) }, showsField: true)
    let lines = Array(screen.lines(size: TerminalSize(columns: 80, rows: rows)).dropFirst())
    let starts = lines.enumerated().filter { ["x ", "y ", "z ", "field "].contains(where: $0.element.hasPrefix) }.map(\.offset)
    #expect(starts.count == 4 && zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == height + 1 }, "\(starts)")
    // A tall plot has blank lines of its own.
    #expect(starts.dropFirst().allSatisfy { lines[$0 - 1].isEmpty })
  }

  @Test func `a source without a field has a line about it`() {
    var update = HeadingUpdate()
    update.setDirection(.heading, magnetic: 10, true: nil)
    #expect(screen([update], showsField: true).lines(size: .usual).contains { $0.hasPrefix("no field") })
  }

  @Test func `the field history does not grow without bound`() {
    var screen = HeadingScreen(style: Self.plain, showsField: true)
    for index in 0..<5000 { screen.take(update(Double(index % 360))) }
    #expect(MemoryLayout.size(ofValue: screen) > 0 && screen.sampleCount == HeadingScreen.mostSamples)
  }

  @Test func `the calibration shows each cell of each face and names the missing ones`() {
    // The face of the top, +y, is missing: directions 32 to 47.
    let covered = (0..<96).map { !(32..<48).contains($0) }
    let picture = CoveragePicture(CalibrationStatus(isNeeded: true, progress: 0.5, covered: covered), style: Self.plain)
    let wide = picture.lines(width: 80, rows: 23)
    #expect(wide.contains { $0.hasPrefix("[####################....................] 50 %") })
    #expect(wide.contains("right     left      top       bottom    front     back    "))
    #expect(wide.count { $0 == "########  ########  ........  ########  ########  ########" } == 4)
    let large = picture.lines(width: 132, rows: 48)
    let faces = [true, true, false, true, true, true].map { String(repeating: $0 ? "#" : ".", count: 16) }.joined(separator: "  ")
    #expect(large.count { $0 == faces } == 8)
    #expect(picture.lines(width: 132, rows: 8).count { $0.hasPrefix("########  ########  ........  ") } == 4)
    let narrow = picture.lines(width: 60, rows: 6)
    #expect(narrow.contains("missing: top") && narrow.allSatisfy { $0.columns <= 60 })
  }

  @Test func `the rows of a face are upright, and a coverage of another length is not drawn`() {
    var status = CalibrationStatus(isNeeded: true, progress: .nan, covered: [])
    status.coverage = "1" + String(repeating: "0", count: 95)
    let lines = CoveragePicture(status, style: Self.plain).lines(width: 80, rows: 23)
    #expect(lines.last?.hasPrefix("##......") == true && lines.contains { $0.hasSuffix("] 0 %") })
    status.coverage = "11"
    #expect(!CoveragePicture(status, style: Self.plain).lines(width: 80, rows: 23).joined().contains("##"))
  }

  @Test func `a forgotten heading shows no direction, until the next one`() {
    var screen = screen([update(10)])
    #expect(screen.lines(size: .usual).first?.hasPrefix("10 deg true") == true)
    screen.forgetHeading()
    #expect(screen.lines(size: .usual).first == "no heading")
    screen.take(update(20))
    #expect(screen.lines(size: .usual).first?.hasPrefix("20 deg true") == true)
  }

  @Test func `a heading ends the note of a failure`() {
    var screen = HeadingScreen(style: Self.plain)
    screen.note = "the field is disturbed"
    screen.take(update(nil))
    #expect(screen.lines(size: .usual).contains("the field is disturbed"))
    screen.take(update(10))
    #expect(!screen.lines(size: .usual).contains("the field is disturbed"))
  }
}
