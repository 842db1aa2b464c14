import Instants
import Locations

/// The screen of `beaconmon heading`: a compass rose, or a detector of magnetic fields, or the coverage of a calibration.
public struct HeadingScreen: Sendable {
  /// The number of samples of the field that the plots keep: more than the columns of a window.
  static let mostSamples = 512

  private let style: TerminalStyle
  private let showsField: Bool
  private var heading = HeadingUpdate()
  private var calibration = CalibrationStatus()
  /// The field in µT: x, y, z and the magnitude.
  private var samples: [[Double]] = []

  /// A sentence below the picture, such as the reason why there is no heading.
  public var note: String?

  /// The number of kept samples of the field.
  var sampleCount: Int { samples.count }

  /// - Parameter showsField: shows the plots of the field instead of the rose.
  public init(style: TerminalStyle, showsField: Bool = false) {
    (self.style, self.showsField) = (style, showsField)
  }

  public mutating func take(_ update: HeadingUpdate) {
    heading = update
    if update.hasDirection { note = nil }
    guard let x = update.x, let y = update.y, let z = update.z, let magnitude = update.magnitude else { return }
    samples.append([x, y, z, magnitude])
    if samples.count > Self.mostSamples { samples.removeFirst(samples.count - Self.mostSamples) }
  }

  public mutating func take(_ status: CalibrationStatus) {
    calibration = status
  }

  /// Shows no direction until the next heading: the last one is wrong as soon as the device turns.
  public mutating func forgetHeading() {
    heading = HeadingUpdate()
  }

  /// Returns as many lines as fit with one row to spare, none wider than the window.
  public func lines(size: TerminalSize) -> [String] {
    let rows = Swift.max(1, size.rows - 1)
    let below = [note].compactMap(\.self).below(size, ellipsis: style.ellipsis)
    let room = Swift.max(0, rows - 1 - below.count)
    let width = size.columns
    let body: [String] =
      if showsField {
        // The field needs no calibration.
        FieldPlot(samples, style: style).lines(width: width, rows: room)
      } else if calibration.isNeeded == true {
        CoveragePicture(calibration, style: style).lines(width: width, rows: room)
      } else {
        rose(width: width, rows: room)
      }
    let lines = [title(width: width)] + body.prefix(room) + below
    return lines.prefix(rows).map { $0.withoutTrailingBlanks }
  }

  /// Returns the directions in words; a narrow window drops parts from the end.
  private func title(width: Int) -> String {
    let degrees = style.hasUnicode ? "°" : " deg"
    func text(_ value: Double?, _ accuracy: Double?, _ name: String) -> String? {
      value.map { value in
        let spread = accuracy.map { " \(style.plusMinus) \(Int($0.rounded(.up)))\(degrees)" } ?? ""
        return "\(Self.whole(value))\(degrees) \(name)\(spread)"
      }
    }
    let main = text(heading.trueHeading, heading.trueAccuracy, heading.kind == .course ? "course" : "true")
    let magnetic = text(heading.magneticHeading, heading.accuracy, "magnetic")
    var parts = [main, magnetic].compactMap(\.self)
    if parts.isEmpty { parts = ["no heading"] }
    if let point = (heading.trueHeading ?? heading.magneticHeading).map(CompassRose.name) { parts[0] += " \(point)" }
    if let source = heading.source { parts.append("from \(source.printable)") }
    while parts.count > 1, parts.joined(separator: ", ").columns > width { parts.removeLast() }
    return style.emphasise(parts.joined(separator: ", ").clipped(width, ellipsis: style.ellipsis), .bold)
  }

  private func rose(width: Int, rows: Int) -> [String] {
    // A column is about half as wide as a row is high.
    let radius = Swift.min((rows - 1) / 2, (width - 1) / 4)
    let numbers = fieldLine(width: width)
    guard radius >= 3 else { return [numbers].filter { !$0.isEmpty } }
    let room = numbers.isEmpty || rows < 2 * radius + 2 ? radius - (numbers.isEmpty ? 0 : 1) : radius
    let isTrue = heading.trueHeading != nil
    let picture = CompassRose(
      heading: heading.trueHeading ?? heading.magneticHeading, accuracy: isTrue ? heading.trueAccuracy : heading.accuracy,
      magneticNorth: isTrue && heading.kind != .course ? magneticNorth : nil
    ).lines(radius: Swift.max(2, room), style: style)
    let margin = String(repeating: " ", count: Swift.max(0, (width - (4 * Swift.max(2, room) + 1)) / 2))
    return picture.map { margin + $0 } + (numbers.isEmpty ? [] : [numbers])
  }

  /// The direction of magnetic north from true north in degrees.
  private var magneticNorth: Double? {
    heading.trueHeading.flatMap { value in heading.magneticHeading.map { value - $0 } }
  }

  private func fieldLine(width: Int) -> String {
    guard let sample = samples.last else { return "" }
    let unit = style.hasUnicode ? "µT" : "uT"
    let names = ["x", "y", "z", "field"]
    let values = zip(names, sample).map { "\($0) \(FieldPlot.number($1))" }.joined(separator: "  ")
    return "\(values) \(unit)".clipped(width, ellipsis: style.ellipsis)
  }

  private static func whole(_ degrees: Double) -> String { "\(Int(degrees.rounded()) % 360)" }
}
