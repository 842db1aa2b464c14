import Beacons
import Events
import Instants
import Records

/// One event in words: the beacon, its last sighting and RSSI, the threshold, the adapter, and the events around it.
public struct EventExplanation: Sendable {
  /// The maximum number of events before it, and after it, that are shown.
  public static let neighbours = 5
  /// The time within which a second crossing suggests that the visitor had not really left.
  private static let soon = Span.seconds(120)

  let style: TerminalStyle
  let units: Units
  private let time: TimeFormat
  private let width: Int?

  /// - Parameter width: columns of the window; nil for lines of any width.
  public init(style: TerminalStyle, units: Units = .ofEnvironment, time: TimeFormat = .utc, width: Int? = nil) {
    self.style = style
    self.units = units
    self.time = time
    self.width = width
  }

  /// - Parameters:
  ///   - earlier: the events before it in its journal, oldest first; `later`: those after it.
  public func text(_ event: Event, earlier: [Event], later: [Event]) -> String {
    if event.damagedSequences != nil {
      return
        ([damage(event), "", "Around it:"]
        + lines(earlier.suffix(Self.neighbours) + [event] + later.prefix(Self.neighbours), marking: event))
        .joined(separator: "\n")
    }
    if let kind = event.kind, kind.isOfAppointment || kind.isOfBeacon {
      let around = earlier.suffix(Self.neighbours) + [event] + later.prefix(Self.neighbours)
      let paragraphs = [kind.isOfBeacon ? finding(event) : advice(event), keeping(event)].compactMap(\.self).flatMap { $0.wrapped(width) }
      return (paragraphs + ["", "Around it:"] + lines(around, marking: event)).joined(separator: "\n")
    }
    let sentences = [headline(event), evidence(event), history(event, earlier), sequel(event, later), keeping(event)]
    let around = earlier.suffix(Self.neighbours) + [event] + later.prefix(Self.neighbours)
    let paragraphs = sentences.compactMap(\.self).flatMap { $0.wrapped(width) }
    return (paragraphs + ["", "Around it:"] + lines(around, marking: event)).joined(separator: "\n")
  }

  private func lines(_ events: some Collection<Event>, marking marked: Event) -> [String] {
    let regionWidth = events.map { ($0.region ?? "").printable.columns }.max() ?? 0
    var list = EventList(style: style, regionWidth: regionWidth, units: units, time: time)
    return events.flatMap { event in
      let number = String(event.sequence).padded(6, isRight: true)
      let mark = "\(event == marked ? ">" : " ")\(number)  "
      guard let width else { return ["\(mark)\(list.text(event, width: nil).dropLast())"] }
      let entry = list.entry(event, width: Swift.max(1, width - mark.columns))
      let margin = String(repeating: " ", count: mark.columns)
      return (entry.day.map { [margin + $0] } ?? []) + entry.lines.enumerated().map { ($0 == 0 ? mark : margin) + $1 }
    }
  }
}

// MARK: Sentences

extension EventExplanation {
  /// Returns the headline of an event.
  /// `Event 42: "entrance" was left at 2026-11-21 08:51:02.123Z, because none of its beacons was heard for its exit delay of 30s.`
  private func headline(_ event: Event) -> String {
    let region = "\"\((event.region ?? "").printable)\""
    let deed =
      switch event.kind {
      case .enter: "was entered"
      case .exit: "was left"
      case .dwell: "has been visited long enough"
      case .cross: "was crossed"
      case .state, .depart, .hurry, .arrive, .miss, .damaged, nil, .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate,
        .beaconRecovered, .alert, .alertEnded:
        "became \(event.state ?? .unknown), without a crossing,"
      }
    let time = event.time.map { " at \(stamp($0))" } ?? " at an unknown time"
    let because = cause(event.reason, event.regionKind).map { ", because \($0)" } ?? ""
    return "Event \(event.sequence): \(region) \(deed)\(time)\(because)."
  }

  /// Returns the sentence of advice for an appointment.
  /// `Event 42: it was time to leave for "Tour" at "Lodestone", which begins at 15:00:00: 6 min on foot, 430 m.`
  private func advice(_ event: Event) -> String {
    let title = event.appointment.map { "\"\($0.printable)\"" } ?? "an appointment"
    let place = event.placeName.map { " at \"\($0.printable)\"" } ?? ""
    let deed =
      switch event.kind {
      case .depart: "it was time to leave for \(title)\(place)"
      case .hurry: "it was the last moment to leave for \(title)\(place)"
      case .arrive: "the visitor arrived for \(title)\(place)"
      case .miss, .enter, .exit, .dwell, .cross, .state, .damaged, nil, .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate,
        .beaconRecovered, .alert, .alertEnded:
        "the visitor was not there when \(title)\(place) began"
      }
    let begin = event.appointmentTime.map { ", which begins at \(stamp($0))" } ?? ""
    let time = event.time.map { " at \(stamp($0))" } ?? ""
    let way = event.travelTime.map { travel in
      ": \(max(1, Int((travel.seconds / 60).rounded(.up)))) min on foot" + (event.travelDistance.map { ", \(units.length($0))" } ?? "")
    }
    return "Event \(event.sequence):\(time) \(deed)\(begin)\(way ?? "")."
  }

  /// Returns the sentences about an expected beacon.
  /// `Event 42: beacon 1/5 of 8ec76ea3-… at "Lodestone" was missing at 08:51:02.123Z: not heard for 5 min, usually at most 100 s.`
  private func finding(_ event: Event) -> String {
    let beacon = event.beacon.map { "beacon \($0.major)/\($0.minor) of \($0.uuid)" } ?? "a beacon"
    let place = event.placeName.map { " at \"\($0.printable)\"" } ?? ""
    let deed =
      switch event.kind {
      case .beaconMissing: "was missing"
      case .beaconWeak: "was weak"
      case .beaconMoved: "seemed to have moved"
      case .beaconDuplicate: "seemed to have a copy"
      case .beaconRecovered, .enter, .exit, .dwell, .cross, .state, .depart, .hurry, .arrive, .miss, .damaged, nil, .alert, .alertEnded:
        "was no longer \(BeaconProblemText.problem(event.ended))"
      }
    let time = event.time.map { " at \(stamp($0))" } ?? ""
    let adapter = event.reason.adapter.map { " by \($0.printable)" } ?? ""
    let seen = event.reason.lastSeen.map { " It was last heard at \(stamp($0))\(adapter)." }
    let telemetry = [
      BeaconProblemText.volts(event.battery), event.temperature.flatMap { Decimal.text($0, decimals: 1) }.map { "\($0) °C" },
    ].compactMap(\.self)
    let reported = telemetry.isEmpty ? "" : " It reports \(telemetry.joined(separator: " and "))."
    return "Event \(event.sequence): \(beacon)\(place) \(deed)\(time): \(BeaconProblemText.evidence(event, units)).\(seen ?? "")\(reported)"
  }

  /// Returns `Event 3 cannot be recovered: its row in the journal cannot be read.`
  private func damage(_ event: Event) -> String {
    let events = (event.damagedEvents ?? "").prefix(1).uppercased() + (event.damagedEvents ?? "").dropFirst()
    let isOne = event.damagedSequences?.count == 1
    let cause =
      event.reason.cause == .missing
      ? "\(isOne ? "it is" : "they are") missing from the journal" : "\(isOne ? "its row" : "their rows") in the journal cannot be read"
    return "\(events) cannot be recovered: \(cause)." + (event.time.map { " It happened at \(stamp($0))." } ?? "")
  }

  /// Returns a sentence on the region's previous event.
  private func history(_ event: Event, _ earlier: [Event]) -> String? {
    guard let before = earlier.last(where: { changesState($0, of: event) }), let passed = span(from: before, to: event) else { return nil }
    let state = before.state ?? .unknown
    return "It had been \(state) for \(passed), since event \(before.sequence)."
  }

  /// Returns whether the event was soon reversed, and which setting would have prevented it.
  private func sequel(_ event: Event, _ later: [Event]) -> String? {
    guard let next = later.first(where: { changesState($0, of: event) }), let passed = span(from: event, to: next) else { return nil }
    let words =
      "\(passed) later, it became \(next.state ?? .unknown) (event \(next.sequence))"
    guard event.kind == .exit, next.kind == .enter, let time = event.time, let back = next.time,
      back - time <= Self.soon
    else { return words + "." }
    switch event.reason.cause {
    case .silence:
      let silence = event.reason.lastSeen.map { back - $0 }
      let length = silence.flatMap { Decimal.text($0.seconds, decimals: 0) }.map { "of more than \($0) s" } ?? "that is longer"
      return words + ": the visitor may not have left, and an exit-delay \(length) would have prevented both events."
    case .departure: return words + ": the visitor may not have left, and a larger leave-beyond would have prevented both events."
    case .sighting, .approach, .stay, .fix, .passage, .locationLost, .receiverLost, .deadline, .battery, .level, .placement, .addresses,
      .jumps, .phases, .outage, .unreadable, .missing, .test, nil:
      return words + "."
    }
  }

  private func keeping(_ event: Event) -> String? {
    guard let journal = event.journal?.printable else { return nil }
    return event.isDurable == false ? "It is in memory only, in journal \(journal)." : "It is in journal \(journal)."
  }

  /// Returns whether `other` began a state of the region of `event`.
  /// A dwell reports a visit that continues, and a crossing reports no visit.
  private func changesState(_ other: Event, of event: Event) -> Bool {
    other.region == event.region && other.kind != .dwell && other.kind != .cross
  }

  /// Returns the time between two events; nil if a time is missing, or if a clock was set back between them.
  private func span(from a: Event, to b: Event) -> String? {
    guard let start = a.time, let end = b.time, end >= start else { return nil }
    let seconds = (end - start).seconds
    switch seconds {
    case ..<120: return Decimal.text(seconds, decimals: 1).map { "\($0) s" }
    case ..<7200: return Decimal.text(seconds / 60, decimals: 0).map { "\($0) min" }
    case ..<172_800: return Decimal.text(seconds / 3600, decimals: 1).map { "\($0) h" }
    default: return Decimal.text(seconds / 86_400, decimals: 1).map { "\($0) days" }
    }
  }

  func stamp(_ time: Instant) -> String { self.time.millisecond(time) }
}
