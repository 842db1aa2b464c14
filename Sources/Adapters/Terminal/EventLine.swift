import Instants
import Records

/// A region event as one line for a person: time, event, region, beacon, distance, reason.
public struct EventLine: Sendable {
  private let style: TerminalStyle
  private let regionWidth: Int
  private let units: Units

  /// - Parameter regionWidth: of the longest identifier that will come, so that the columns stay aligned.
  public init(style: TerminalStyle, regionWidth: Int = 12, units: Units = .ofEnvironment) {
    self.style = style
    self.units = units
    self.regionWidth = Swift.min(40, regionWidth)
  }

  public func text(_ event: Record) -> String {
    let kind = (event["event"]?.text ?? style.dash).printable
    let region = (event["region"]?.text ?? style.dash).printable
    let columns = [
      time(event), style.emphasise(kind.padded(5), kind.eventEmphasis), region.padded(regionWidth),
      beacon(event).padded(7, isRight: true), distance(event).padded(14, isRight: true), reason(event, isState: kind == "state"),
    ]
    return columns.joined(separator: "  ").withoutTrailingBlanks
  }
}

extension EventLine {
  /// To the millisecond, in UTC: RFC 3339 with the blank that section 5.6 allows.
  private func time(_ event: Record) -> String {
    guard let time = event["time"]?.time else { return style.dash.padded(24) }
    return String(time.rfc3339.dropLast(4).map { $0 == "T" ? " " : $0 }) + "Z"
  }

  /// Major and minor, or what else marks the region.
  private func beacon(_ event: Record) -> String {
    if event["kind"]?.text == "circle" { return "circle" }
    guard let beacon = event["beacon"]?.record, let major = beacon["major"]?.plainText, let minor = beacon["minor"]?.plainText else {
      return style.dash
    }
    return "\(major)/\(minor)"
  }

  /// To the beacon, or to the boundary and on which side of it.
  private func distance(_ event: Record) -> String {
    if let metres = event["boundaryDistance"]?.quantity { return units.boundary(metres) }
    guard let distance = event["distance"]?.plainText else { return style.dash }
    return "\(distance) m"
      + (event["accuracy"]?.quantity.flatMap { Decimal.text($0, decimals: 1) }.map { " \(style.plusMinus) \($0)" } ?? "")
  }

  private func reason(_ event: Record, isState: Bool) -> String {
    let state = isState ? event["state"]?.text.map { "\($0.printable); " } ?? "" : ""
    let reason = event["reason"]?.record ?? Record()
    guard let cause = reason["cause"]?.text?.printable else { return state }
    let isCircle = event["kind"]?.text == "circle"
    return state + cause + (words(cause, reason, isCircle: isCircle).map { ": \($0)" } ?? "")
  }

  /// Nil for a cause that has no words yet.
  private func words(_ cause: String, _ reason: Record, isCircle: Bool) -> String? {
    let metres = reason["threshold"]?.quantity
    // The config has metres; who walks to a boundary has those of the place.
    let threshold = isCircle ? metres.map(units.length) : metres.flatMap { Decimal.text($0, decimals: 1) }.map { "\($0) m" }
    switch cause {
    case "sighting": return "first heard" + (reason["adapter"]?.text.flatMap { $0 == "capture" ? nil : " by \($0.printable)" } ?? "")
    case "approach": return threshold.map { "stayed within \($0)" }
    case "departure": return threshold.map { "stayed beyond \($0)" }
    case "silence":
      if let age = reason["lastSeenAge"]?.quantity.flatMap({ Decimal.text($0, decimals: 1) }) { return "last seen \(age) s before" }
      return reason["exitDelay"]?.text.map { "nothing heard for \($0.printable)" }
    case "stay": return reason["dwell"]?.text.map { "for \($0.printable)" }
    case "outage": return "nobody watched for too long"
    case "fix": return "a fix says so, and no crossing was seen"
    case "passage": return "between two fixes"
    case "locationLost": return "no fix tells where the device is"
    case "receiverLost": return "who heard it cannot hear"
    default: return nil
    }
  }
}

extension String {
  fileprivate var eventEmphasis: TerminalStyle.Emphasis? {
    switch self {
    case "enter": .green
    case "exit": .cyan
    case "cross": .cyan
    default: .faint
    }
  }
}
