import RouteReports
import Testing

@testable import Terminal

@Suite struct GuideScreenTests {
  private static let plain = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: true)
  private static let rich = TerminalStyle(hasColours: true, hasUnicode: true, canRedraw: true)
  private static let sizes = [
    TerminalSize(columns: 60, rows: 20), TerminalSize(columns: 80, rows: 24), TerminalSize(columns: 132, rows: 50),
    TerminalSize(columns: 20, rows: 6), TerminalSize(columns: 3, rows: 2), TerminalSize(columns: 1, rows: 1),
  ]

  private func report(turn: Double? = nil, side: GuidanceReport.Side? = nil) -> GuidanceReport {
    var report = GuidanceReport()
    (report.state, report.mode, report.title, report.bearing) = (.underWay, .route, "Board room", 123)
    (report.turn, report.side, report.progress, report.distanceText, report.timeText) = (turn, side, 0.5, "45 metres", "1 minute")
    var next = RouteStepReport()
    next.text = "Turn left at the door, then move forward 12 metres."
    (report.next, report.nextDistance, report.nextText, report.accuracy) = (next, 7, "In 7 metres, turn left at the door.", 1.62)
    var place = RoutePointReport()
    (place.level, place.levelName) = ("ground", "Ground floor")
    report.position = place
    return report
  }

  private func screen(_ report: GuidanceReport, style: TerminalStyle = plain, languages: [String] = ["en"]) -> GuideScreen {
    var screen = GuideScreen(style: style, units: Units(isMetric: true), languages: languages)
    screen.take(report)
    return screen
  }

  private func bare(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  @Test(arguments: sizes, [plain, rich])
  func `no screen is wider or higher than its window, with a row to spare`(size: TerminalSize, style: TerminalStyle) {
    for state in GuidanceReport.State.allCases {
      for turn in [nil, 0, 95, -170.0] {
        var report = report(turn: turn, side: turn.map { $0 == 0 ? .ahead : $0 < 0 ? .left : .right })
        report.state = state
        var screen = screen(report, style: style)
        var instruction = InstructionReport()
        instruction.text = "In 7 metres, turn left at the door, then turn right."
        screen.take(instruction)
        screen.note = "no source has a fix; see \"beaconmon status\""
        let lines = screen.lines(size: size)
        #expect(lines.count <= max(1, size.rows - 1), "\(size)")
        #expect(lines.allSatisfy { bare($0).columns <= size.columns }, "\(size) \(lines)")
        if !style.hasUnicode { #expect(lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }) }
      }
    }
  }

  @Test func `the arrow points to the side of the turn`() {
    func ink(_ turn: Double) -> (left: Int, right: Int, above: Int, below: Int) {
      let lines = ArrowPicture(turn: turn).lines(radius: 6, ink: "#")
      var sums = (left: 0, right: 0, above: 0, below: 0)
      for (row, line) in lines.enumerated() {
        for (column, character) in line.enumerated() where character == "#" {
          if column < 12 { sums.left += 1 } else if column > 12 { sums.right += 1 }
          if row < 6 { sums.above += 1 } else if row > 6 { sums.below += 1 }
        }
      }
      return sums
    }
    // The head has more ink than the shaft.
    #expect(ink(0).above > ink(0).below && ink(0).left == ink(0).right)
    #expect(ink(90).right > ink(90).left && ink(-90).left > ink(-90).right)
    #expect(ink(180).below > ink(180).above)
  }

  @Test func `the screen names the destination, the direction, the next step and the rest of the way`() {
    let text = screen(report(turn: 95, side: .right)).lines(size: TerminalSize(columns: 80, rows: 24)).joined(separator: "\n")
    #expect(text.hasPrefix("Board room\n"))
    #expect(text.contains("95 deg to the right (123 deg SE)"))
    #expect(text.contains("\nIn 7 metres, turn left at the door.\n"))
    #expect(text.contains("[####################....................] 50 %"))
    #expect(text.contains("45 metres, 1 minute, Ground floor, +- 1.6 m"))
    #expect(text.contains("###"))
  }

  @Test func `the states and the direction are in the language of the reader`() {
    var report = report(turn: 0, side: .ahead)
    (report.title, report.nextText, report.reroutings) = ("Bibliothek", "In 7 Metern erreichen Sie: Bibliothek.", 2)
    func lines() -> [String] { screen(report, style: Self.rich, languages: ["de"]).lines(size: Self.sizes[1]).map(bare) }
    #expect(lines().first == "Bibliothek" && lines().contains("In 7 Metern erreichen Sie: Bibliothek."))
    #expect(lines().last?.contains(", ± 1,6 m") == true, "\(lines())")
    #expect(lines().contains("Geradeaus (123° SO)") && lines().last?.hasSuffix(", 2 neue Wege") == true, "\(lines())")
    (report.turn, report.side) = (-95, .left)
    #expect(lines().contains("95° nach links (123° SO)"))
    (report.turn, report.side) = (nil, nil)
    #expect(lines().contains("Richtung 123° SO; kein Pfeil: die Ausrichtung dieses Geräts ist unbekannt"))
    report.mode = .direct
    #expect(lines().first == "Bibliothek, in gerader Linie")
    report.state = .lost
    #expect(lines().first == "Bibliothek: keine Richtung")
    report.state = .searching
    #expect(lines().first == "Bibliothek: Position wird gesucht")
    report.state = .arrived
    #expect(lines().first == "Bibliothek")
  }

  @Test(arguments: [60, 80])
  func `a straight line through a venue has its reason below, and a long direction is wrapped`(columns: Int) {
    var report = report()
    (report.mode, report.directReason) = (.direct, .levelUnknown)
    report.note = "Your level is unknown, so this is a straight line; Board room is on First floor."
    let lines = screen(report).lines(size: TerminalSize(columns: columns, rows: 24))
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(lines.first == "Board room, in a straight line" && words.contains("Board room is on First floor."))
    #expect(words.contains("no arrow: the heading of this device is unknown"), "\(lines)")
    // The instruction with the same reason replaces the remark.
    var guide = screen(report)
    var instruction = InstructionReport()
    instruction.text = "\(report.note ?? "") Board room: 25 metres."
    guide.take(instruction)
    guide.warning = "there are no sentences in \"fr\""
    let shown = guide.lines(size: TerminalSize(columns: columns, rows: 24))
    #expect(shown.joined(separator: " ").split(separator: "straight line;").count == 2 && shown.last == guide.warning, "\(shown)")
  }

  @Test func `without a trusted heading there is no arrow, and without a position no direction`() {
    let compassless = screen(report()).lines(size: TerminalSize(columns: 80, rows: 24)).joined(separator: "\n")
    #expect(compassless.contains("Direction 123 deg SE; no arrow: the heading of this device is unknown"))
    var guide = screen(report(turn: 95, side: .right))
    guide.forgetDirection()
    guide.note = "beaconmond has stopped; waiting for it"
    let lost = guide.lines(size: TerminalSize(columns: 80, rows: 24))
    #expect(lost.first == "Board room: no direction" && lost.last == "beaconmond has stopped; waiting for it")
    #expect(!lost.joined().contains("SE"))
  }
}
