import Beacons
import Events
import Instants
import Records

/// A region event as one line for a person: time, event, region, beacon, distance, reason.
public struct EventLine: Sendable {
  private static let mostRegionWidth = 40
  /// The width from which a line has the date and the milliseconds.
  private static let wideWindow = 100
  /// The width below which the reason goes to a line of its own.
  private static let leastReasonWidth = 24

  private let style: TerminalStyle
  private let regionWidth: Int
  private let units: Units
  private let time: TimeFormat

  /// - Parameter regionWidth: columns of the longest identifier that will come, so that the columns stay aligned.
  public init(style: TerminalStyle, regionWidth: Int = 12, units: Units = .ofEnvironment, time: TimeFormat = .utc) {
    self.style = style
    self.units = units
    self.time = time
    self.regionWidth = Swift.min(Self.mostRegionWidth, regionWidth)
  }

  /// Returns one uncut line of any width.
  public func text(_ event: Event) -> String { text(event, kind: nil) }

  /// - Parameter plain: the kind of the event without colour; nil for the style's colour.
  private func text(_ event: Event, kind plain: String?) -> String {
    let cells = cells(event)
    let columns = [
      event.time.map(time.millisecond) ?? style.dash.padded(time.millisecondWidth), plain ?? kind(cells),
      cells.region.padded(regionWidth - cells.excess),
      cells.beacon.padded(7, isRight: true), cells.distance.padded(14, isRight: true), cells.reason,
    ]
    return columns.joined(separator: "  ").withoutTrailingBlanks
  }

  /// Returns whether a line in a window of this width has the time of day only.
  static func needsDay(_ width: Int) -> Bool { width < wideWindow }

  /// Returns as many lines as a window of this width needs.
  /// The identifier is cut, the reason is broken between words, and a narrow window has no distance and no beacon.
  func lines(_ event: Event, width: Int) -> [String] {
    let cells = cells(event)
    let isNarrow = Self.needsDay(width)
    let timeWidth = isNarrow ? time.clockWidth : time.millisecondWidth
    let stamp = event.time.map(isNarrow ? time.clock : time.millisecond) ?? style.dash.padded(timeWidth)
    let beginning = "\(stamp)  \(kind(cells))  "
    let start = timeWidth + Self.kindWidth + cells.excess + 4
    // The window is too narrow for columns.
    guard width >= start + 4 else { return text(event, kind: cells.kind).wrapped(width) }
    var ending = [cells.beacon.padded(7, isRight: true), cells.distance.padded(14, isRight: true)]
    func room() -> Int { width - start - ending.reduce(0) { $0 + $1.columns + 2 } }
    while room() < Swift.min(regionWidth, 8), !ending.isEmpty { ending.removeLast() }
    let region = cells.region.fitted(
      Swift.max(1, Swift.min(Swift.min(regionWidth, Swift.max(12, width / 4)) - cells.excess, room())), ellipsis: style.ellipsis)
    let line = beginning + ([region] + ending).joined(separator: "  ")
    let taken = start + region.columns + ending.reduce(0) { $0 + $1.columns + 2 } + 2
    guard !cells.reason.isEmpty else { return [line.withoutTrailingBlanks] }
    if cells.reason.columns <= width - taken || width - taken >= Self.leastReasonWidth {
      let reason = cells.reason.wrapped(width, indent: taken, taken: taken)
      return ["\(line)  \(reason.first ?? "")".withoutTrailingBlanks] + reason.dropFirst()
    }
    let indent = timeWidth + 2
    return [line.withoutTrailingBlanks]
      + cells.reason.wrapped(width - indent).map { String(repeating: " ", count: indent) + $0 }
  }

  private func kind(_ cells: Cells) -> String { style.emphasise(cells.kind.padded(Self.kindWidth), cells.emphasis) }
}

extension EventLine {
  private struct Cells {
    let kind: String
    let emphasis: TerminalStyle.Emphasis
    let region: String
    let beacon: String
    let distance: String
    let reason: String

    /// The columns by which a long kind goes beyond its own, at the cost of the region's.
    var excess: Int { Swift.max(0, kind.columns - EventLine.kindWidth) }
  }

  /// The columns of the kind, enough for those of regions.
  private static let kindWidth = 5

  private func cells(_ event: Event) -> Cells {
    // The kind of an event about a beacon omits `beacon-`, because the beacon has a column of its own.
    let isOfBeacon = event.kind?.isOfBeacon ?? false
    let name = event.kind?.rawValue ?? style.dash
    let kind = isOfBeacon ? String(name.drop { $0 != "-" }.dropFirst()) : name
    let region = event.region ?? (isOfBeacon ? event.placeName : nil) ?? style.dash
    return Cells(
      kind: kind, emphasis: event.kind?.emphasis ?? .faint, region: region.printable, beacon: beacon(event),
      distance: distance(event),
      reason: reason(event, isState: event.kind == .state))
  }

  /// Returns `event 3 cannot be read`; nil for an event without damage.
  private func damage(_ event: Event) -> String? {
    guard let events = event.damagedEvents else { return nil }
    return events + (event.reason.cause == .missing ? " lost from the journal" : " cannot be read")
  }

  /// Returns major and minor, or the mark of a region without beacons.
  private func beacon(_ event: Event) -> String {
    if let kind = event.regionKind, kind != .beacon { return kind.rawValue }
    return event.beacon.map { "\($0.major)/\($0.minor)" } ?? style.dash
  }

  /// Returns the distance to the beacon, or to the boundary with the device's side.
  /// It has the digits that the accuracy supports.
  private func distance(_ event: Event) -> String {
    if let metres = event.boundaryDistance {
      return units.boundary(metres, accuracy: event.location?.horizontalAccuracy)
    }
    guard let metres = event.distance else { return style.dash }
    let measured = MeasurementText(metres, accuracy: event.accuracy)
    return "\(measured.value) m\(measured.accuracy.map { " \(style.plusMinus) \($0)" } ?? "")"
  }

  private func reason(_ event: Event, isState: Bool) -> String {
    if let damage = damage(event) { return damage }
    if event.kind?.isOfAppointment ?? false { return advice(event) }
    if event.kind?.isOfBeacon ?? false { return finding(event) }
    let state = isState ? event.state.map { "\($0); " } ?? "" : ""
    guard let cause = event.reason.cause else { return state }
    let place = event.placeName.map { ", beacon at \($0.printable)" } ?? ""
    return state + cause.rawValue + (words(cause, event.reason, event.regionKind).map { ": \($0)" } ?? "") + place
  }

  /// Returns `Tour at Lodestone, 6 min on foot`.
  private func advice(_ event: Event) -> String {
    let place = event.placeName.map { " at \($0.printable)" } ?? ""
    let way = event.travelTime.map { ", \(max(1, Int(($0.seconds / 60).rounded(.up)))) min on foot" } ?? ""
    return (event.appointment?.printable ?? "appointment") + place + way
  }

  /// Returns `not heard for 5 min, usually at most 100 s`.
  private func finding(_ event: Event) -> String {
    (event.ended.map { "no longer \(BeaconProblemText.problem($0)): " } ?? "") + BeaconProblemText.evidence(event, units)
  }

  /// Returns the reason in words; nil for a cause whose name is enough.
  private func words(_ cause: Event.Cause, _ reason: Event.Reason, _ kind: RegionKind?) -> String? {
    let metres = reason.threshold
    // The config has metres; the distance to a boundary is in the user's units.
    let threshold = kind == .circle ? metres.map(units.length) : metres.flatMap { Decimal.text($0, decimals: 1) }.map { "\($0) m" }
    switch cause {
    case .sighting: return "first heard" + (reason.adapter.flatMap { $0 == "capture" ? nil : " by \($0.printable)" } ?? "")
    case .approach where kind == .place, .departure where kind == .place: return reason.probability.map { "\($0.percent) inside" }
    case .approach: return threshold.map { "stayed within \($0)" }
    case .departure: return threshold.map { "stayed beyond \($0)" }
    case .silence:
      if let age = reason.lastSeenAge.flatMap({ Decimal.text($0, decimals: 1) }) { return "last seen \(age) s before" }
      return reason.exitDelay.map { "nothing heard for \($0.text)" }
    case .stay: return reason.dwell.map { "for \($0.text)" }
    case .outage: return "the daemon was down for too long"
    case .fix: return "shown by a fix, without an observed crossing"
    case .passage: return "between two fixes"
    case .locationLost: return "location unknown"
    case .receiverLost: return "its receiver is unavailable"
    case .unreadable, .missing, .test, .deadline, .battery, .level, .placement, .addresses, .jumps, .phases: return nil
    }
  }
}

extension Event.Kind {
  fileprivate var emphasis: TerminalStyle.Emphasis {
    switch self {
    case .enter: .green
    case .exit, .cross: .cyan
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate: .bold
    case .dwell, .state, .depart, .hurry, .arrive, .miss, .beaconRecovered, .alert, .alertEnded, .damaged: .faint
    }
  }
}
