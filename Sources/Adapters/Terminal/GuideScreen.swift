import RealModule
import RouteReports
import Wayfinding

/// The screen of `beaconmon guide`: an arrow, the next step, and the progress.
public struct GuideScreen: Sendable {
  private let style: TerminalStyle
  private let units: Units
  private let text: GuidanceText
  private var report = GuidanceReport()
  private var instruction: String?

  /// A sentence below the picture, such as the reason why there is no direction.
  public var note: String?
  /// A warning that stays below the picture.
  public var warning: String?

  /// - Parameter languages: the reader's language tags, the best one first.
  public init(style: TerminalStyle, units: Units, languages: [String] = []) {
    self.style = style
    text = GuidanceText(languages: languages, isMetric: units.isMetric)
    self.units = Units(isMetric: units.isMetric, decimalMark: text.decimalMark)
  }

  public mutating func take(_ report: GuidanceReport) {
    self.report = report
    if report.state == .underWay || report.state == .arrived { note = nil }
  }

  public mutating func take(_ instruction: InstructionReport) {
    self.instruction = instruction.text
  }

  /// Shows no direction until the next state: the last one is wrong as soon as the device turns.
  public mutating func forgetDirection() {
    (report.turn, report.side, report.bearing) = (nil, nil, nil)
    if report.state == .underWay { report.state = .lost }
  }

  /// Returns as many lines as fit with one row to spare, none wider than the window.
  public func lines(size: TerminalSize) -> [String] {
    let rows = Swift.max(1, size.rows - 1)
    let width = size.columns
    // The first instruction of a straight line already contains the reason.
    let remark = report.note.flatMap { instruction?.contains($0) ?? false ? nil : $0.printable }
    let notes = [remark, note, warning].compactMap(\.self).below(size, ellipsis: style.ellipsis)
    let title = style.emphasise(text.title(report).printable.clipped(width, ellipsis: style.ellipsis), .bold)
    let direction = text.direction(report, degreeSign: style.hasUnicode ? "°" : " deg")?.printable
    let texts = (direction?.wrapped(width, indent: 2) ?? []) + steps(width: width)
    let facts = self.facts(width: width)
    let below = facts + notes
    // The arrow takes only the space that the texts leave.
    let room = rows - 1 - texts.count - below.count
    let picture = room >= Self.leastRows ? self.picture(width: width, rows: room) : []
    let lines = [title] + picture + texts.prefix(Swift.max(1, rows - 1 - below.count)) + below
    return lines.prefix(rows).map { $0.withoutTrailingBlanks }
  }

  private static let leastRows = 5

  private func steps(width: Int) -> [String] {
    var lines: [String] = []
    if let instruction { lines += instruction.printable.wrapped(width).map { style.emphasise($0, .boldGreen) } }
    if report.state == .underWay, let next = report.nextText?.printable { lines += next.wrapped(width, indent: 2) }
    return lines
  }

  private func facts(width: Int) -> [String] {
    var lines: [String] = []
    if let progress = report.progress {
      let percent = "\(Int((progress * 100).rounded(.down))) %".padded(5, isRight: true)
      let room = Swift.min(40, width - percent.count - 2)
      if room >= 5 {
        let filled = Int(progress * Double(room))
        let bar =
          String(repeating: style.hasUnicode ? "█" : "#", count: filled)
          + String(repeating: style.hasUnicode ? "░" : ".", count: room - filled)
        lines.append("[\(bar)]\(percent)")
      }
    }
    var parts = [report.distanceText, report.timeText].compactMap { $0?.printable }
    if report.state == .arrived || report.state == .searching { parts = [] }
    if let level = report.position?.levelName ?? report.position?.level { parts.append(level.printable) }
    if let accuracy = report.accuracy { parts.append("\(style.plusMinus) \(units.length(accuracy))") }
    if let count = report.reroutings, count > 0 { parts.append(text.newRoutes(count)) }
    while parts.count > 1, parts.joined(separator: ", ").columns > width { parts.removeLast() }
    if !parts.isEmpty { lines.append(parts.joined(separator: ", ").clipped(width, ellipsis: style.ellipsis)) }
    return lines
  }

  private func picture(width: Int, rows: Int) -> [String] {
    guard report.state == .underWay, let turn = report.turn, let side = report.side else { return [] }
    // A column is about half as wide as a row is high.
    let radius = Swift.min((rows - 1) / 2, (width - 1) / 4, Self.mostRadius)
    guard radius >= 2 else { return [] }
    let margin = String(repeating: " ", count: Swift.max(0, (width - (4 * radius + 1)) / 2))
    return ArrowPicture(turn: side == .ahead ? 0 : turn).lines(radius: radius, ink: style.hasUnicode ? "█" : "#")
      .map { margin + style.emphasise($0, .green) }
  }

  private static let mostRadius = 9
}

/// An arrow of characters that points in any direction.
struct ArrowPicture {
  /// Degrees clockwise from the top.
  let turn: Double

  /// Returns `2 * radius + 1` lines of at most `4 * radius + 1` characters.
  func lines(radius: Int, ink: Character) -> [String] {
    let angle = turn * .pi / 180
    let (sine, cosine) = (Double.sin(angle), Double.cos(angle))
    return (0...2 * radius).map { row in
      let line = (0...4 * radius).map { column -> Character in
        let (right, up) = (Double(column - 2 * radius) / 2, Double(radius - row))
        let scale = Double(radius)
        // The cell in the frame of the arrow.
        let (across, along) = ((right * cosine - up * sine) / scale, (right * sine + up * cosine) / scale)
        return Self.covers(across, along) ? ink : " "
      }
      return String(line).withoutTrailingBlanks
    }
  }

  /// Returns whether a point belongs to an arrow of the length 2 that points up.
  private static func covers(_ across: Double, _ along: Double) -> Bool {
    let head = (0.1...1.0).contains(along) && abs(across) <= (1 - along) * 0.75 + 0.02
    let shaft = (-0.95...0.1).contains(along) && abs(across) <= 0.2
    return head || shaft
  }
}
