import Beacons
import Instants
import Records
public import Surveys

/// The report of a survey for people.
public struct SurveyText: Sendable {
  private let style: TerminalStyle
  private let width: Int?
  private let time: TimeFormat

  /// - Parameter width: of the window; nil for as wide as the lines are.
  public init(style: TerminalStyle, width: Int?, time: TimeFormat) {
    (self.style, self.width, self.time) = (style, width, time)
  }

  public func text(_ report: SurveyReport) -> String {
    let beacons = report.beacons ?? []
    let own = beacons.filter { !$0.isForeign }
    var blocks = [wrapped([heading(report)]), wrapped(report.receptionNotes)]
    if !own.isEmpty { blocks.append(table(own).lines(width)) }
    blocks.append(wrapped((report.missing ?? []).map { "missing: \($0.label(hasUUID: report.hasSeveralUUIDs))" }))
    let foreign = beacons.filter(\.isForeign)
    if !foreign.isEmpty {
      blocks.append(wrapped(["beacons of other UUIDs, which are not expected:"]) + foreignTable(foreign).lines(width))
    }
    blocks.append(wrapped(report.placeNotes))
    blocks.append(wrapped([report.conclusion]))
    return blocks.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private func wrapped(_ sentences: [String]) -> [String] { sentences.flatMap { $0.wrapped(width) } }

  private func heading(_ report: SurveyReport) -> String {
    var parts = ["survey of \((report.source ?? "?").printable)"]
    if let from = report.from, let until = report.until {
      parts.append("\(time.second(from)), \(Units(isMetric: true).age((until - from).seconds))")
    }
    parts.append("\(report.packets ?? 0) packets of \((report.beacons ?? []).count) beacons")
    return parts.joined(separator: ", ")
  }

  private func table(_ beacons: [SurveyedBeacon]) -> TextTable {
    let hasNames = beacons.contains { $0.name != nil }
    let isOneUUID = Set(beacons.map(\.uuid)).count < 2
    var table = TextTable(
      style: style,
      [
        TextTable.Column(title: "beacon", leastWidth: 9),
        TextTable.Column(title: hasNames ? "name" : "", leastWidth: 6, dropOrder: 5),
        TextTable.Column(title: "adv/s", dropOrder: 3), TextTable.Column(title: "loss"),
        TextTable.Column(title: "dBm, 10 to 90 %", dropOrder: 4),
        TextTable.Column(title: "interval ms", dropOrder: 1), TextTable.Column(title: "at 1 m", dropOrder: 2),
      ])
    table.rows = beacons.map { beacon in
      let cells = SurveyCells(beacon, style: style)
      return [
        (isOneUUID ? "" : "\(beacon.uuid?.description.prefix(8) ?? "?") ") + beacon.numbers, beacon.name?.printable ?? "", cells.rate,
        cells.loss, cells.levels, cells.interval, cells.power,
      ]
    }
    table.notes = beacons.map { beacon in (beacon.verdicts ?? []).map(\.sentence) }
    return table
  }

  private func foreignTable(_ beacons: [SurveyedBeacon]) -> TextTable {
    var table = TextTable(
      style: style,
      [TextTable.Column(title: "beacon", leastWidth: 9), TextTable.Column(title: "packets"), TextTable.Column(title: "dBm", dropOrder: 0)])
    table.rows = beacons.map { beacon in
      [
        beacon.uuid.map { "\($0)/\(beacon.numbers)" } ?? beacon.numbers, "\(beacon.count ?? 0)",
        SurveyCells(beacon, style: style).median,
      ]
    }
    return table
  }
}

/// The values of a beacon as short texts.
struct SurveyCells {
  private let beacon: SurveyedBeacon
  private let style: TerminalStyle

  init(_ beacon: SurveyedBeacon, style: TerminalStyle) {
    (self.beacon, self.style) = (beacon, style)
  }

  var rate: String { number(beacon.rate, 1) ?? style.dash }
  var loss: String { beacon.loss?.percent ?? style.dash }
  var median: String { number(beacon.rssi?.median, 0) ?? style.dash }

  /// The median of the RSSI with its percentiles: `-71, -82 to -60`.
  var levels: String {
    guard let rssi = beacon.rssi, let low = number(rssi.low, 0), let high = number(rssi.high, 0) else { return style.dash }
    return "\(median), \(low) to \(high)"
  }

  /// The interval and its jitter in milliseconds: `200 ± 3`.
  var interval: String {
    guard let interval = number(beacon.interval.map { $0 * 1000 }, 0) else { return style.dash }
    return interval + (number(beacon.jitter.map { $0 * 1000 }, 0).map { " \(style.plusMinus) \($0)" } ?? "")
  }

  /// The advertised power, and the one that fits.
  var power: String {
    guard let advertised = beacon.measuredPower else { return style.dash }
    return "\(advertised)" + (beacon.suggestedMeasuredPower.map { ", fits \($0)" } ?? "")
  }

  private func number(_ value: Double?, _ decimals: Int) -> String? { value.flatMap { Decimal.text($0, decimals: decimals) } }
}

// MARK: Sentences

extension SurveyedBeacon {
  var isForeign: Bool { (verdicts ?? []).contains { $0.kind == .foreign } }
  /// Major and minor: `1/5`.
  var numbers: String { "\(major.map { String($0) } ?? "?")/\(minor.map { String($0) } ?? "?")" }
}

extension SurveyVerdict {
  var sentence: String { "\(kind?.rawValue ?? "fault"): \((reason ?? "").printable)" }
}

extension MissingBeacon {
  /// The numbers and the name.
  func label(hasUUID: Bool) -> String {
    let numbers = [major, minor].map { number in number.map { String($0) } ?? "*" }.joined(separator: "/")
    let identity = hasUUID || major == nil ? "\(uuid?.description ?? "?")/\(numbers)" : numbers
    return identity + (name.map { ", \($0.printable)" } ?? "")
  }
}

extension SurveyReport {
  var hasSeveralUUIDs: Bool {
    Set((beacons ?? []).filter { !$0.isForeign }.map(\.uuid) + (missing ?? []).map(\.uuid)).count > 1
  }

  /// The sentences about the receiver.
  var receptionNotes: [String] {
    var notes: [String] = []
    if let loss = interference?.loss, loss >= 0.2 {
      notes.append(
        "The receiver lost \(loss.percent) of the advertisements of loud beacons. It is disturbed, or it does not listen all the time: "
          + "see \"beaconmon doctor\".")
    }
    if let pauses = interference?.pauses, pauses > 0, let seconds = interference?.pauseSeconds {
      notes.append(
        "All beacons fell silent together \(Count.text(pauses, "time")), for \(Decimal.text(seconds, decimals: 1) ?? "?") s in all: "
          + "the receiver paused, or was drowned.")
    }
    if let lost = lostPackets, lost > 0 {
      notes.append("\(Count.text(lost, "packet was", plural: "packets were")) lost before the survey could read them.")
    }
    return notes
  }

  /// The sentences about the measured places of a venue and the next ones; none without a measured place.
  var placeNotes: [String] {
    guard let places, !places.isEmpty else { return [] }
    var notes = (coverage ?? []).map { level in
      "level \(level.level ?? "?"): \(level.places ?? 0) of about \(level.wantedPlaces ?? 0) places measured, near \(level.surveyed?.percent ?? "?") of "
        + "the floor; positions on \(level.positioned?.percent ?? "?")"
    }
    if (coverage ?? []).contains(where: { ($0.places ?? 0) > 0 && ($0.places ?? 0) < ($0.wantedPlaces ?? 0) }) {
      notes.append("With fewer places, positions can be worse than without any.")
    }
    if let next = nextPlaces, !next.isEmpty {
      notes.append("Next, measure at: " + next.compactMap(SurveyPlace.init).map(\.text).joined(separator: "; "))
    }
    return notes
  }

  /// The last sentence: the comparison with the list, and the number of beacons with a fault.
  var conclusion: String {
    let own = (beacons ?? []).filter { !$0.isForeign }
    let faulty = own.count { !($0.verdicts ?? []).isEmpty }
    let faults = faulty == 0 ? "no fault" : "\(Count.text(faulty, "beacon")) with a fault"
    guard let expectation, let count = expectation.beacons, let source = expectation.source else { return faults }
    let missing = UInt64((missing ?? []).count)
    return "\(count - min(count, missing)) of \(count) expected by the \(source.rawValue) were heard, \(missing) missing, \(faults)"
  }
}
