import Instants
import Records

/// The output of `beaconmon status` for a person.
public struct StatusText: Sendable {
  let style: TerminalStyle
  let units: Units
  let time: TimeFormat
  private let width: Int?

  /// - Parameter width: columns of the window; nil for lines of any width.
  public init(style: TerminalStyle, units: Units = .ofEnvironment, time: TimeFormat = .utc, width: Int? = nil) {
    self.style = style
    self.units = units
    self.time = time
    self.width = width
  }

  /// - Parameters:
  ///   - manager: `version`, `refusedReload`, `source`, `sourceChoice`, `sourceReason`, `sourceState`, `sourceNote`, `advertisements`,
  ///     `journal`, `lastSequence`, `durable`, `journalNote`, `damagedEvents`, `registrations`, `location`, `locationSources`,
  ///     `locationSwitches`, `locationServicesEnabled`, `consentNote` and `statistics`.
  ///   - adapters: each with `address`, `state`, `since` and `reportsPerSecond`, and where they are known `name`, `rssiOffset` and `note`.
  ///   - regions: each with `identifier`, `state`, `since`, and where they are known `beacon`, `lastSeen`, or `radius`, `fixTime` and
  ///     `boundaryDistance`, `note`, `learnedExitDelay`, `flaps` and `advice`.
  public func text(manager: Record, adapters: [Record], regions: [Record]) -> String {
    let beacons = (manager["advertisements"]?.list ?? []).map { fact("advertises", advertisement($0)) }
    let places = locations(manager)
    let consent = manager["consentNote"]?.text.map { [fact("consent", $0)] } ?? []
    let facts =
      facts(manager) + adapters.flatMap(lines) + beacons + places + consent + journal(manager) + registrations(manager) + heard(manager)
    return (facts + [""] + table(regions)).joined(separator: "\n")
  }

  /// `auto: bluez, scanning`
  public static func source(_ manager: Record) -> String {
    let name = manager["source"]?.text ?? "no source"
    let choice = manager["sourceChoice"]?.text.map { ": \($0)" } ?? ""
    let state =
      switch manager["sourceState"]?.text {
      case "paused" where hasEnded(manager): "ended"
      // The note below gives the reason.
      case "paused" where manager["sourceNote"] != nil: "paused"
      case "paused": "about to scan"
      case "idle": "idle: no region or session needs beacons"
      case "gone": "unavailable"
      case "none": "not scanning for beacons"
      case let state: state ?? "unknown"
      }
    return "\(name)\(choice), \(state)"
  }

  private func facts(_ manager: Record) -> [String] {
    var lines = [fact("beaconmond", manager["version"]?.text ?? style.dash)]
    if let refused = manager["refusedReload"]?.record {
      lines.append(fact("config", "reload refused at \(second(refused["time"])); the previous configuration is in force"))
      lines.append(fact("", refused["reason"]?.text ?? style.dash))
    }
    lines.append(fact("source", Self.source(manager)))
    if let reason = manager["sourceReason"]?.text { lines.append(fact("why", reason)) }
    if let note = manager["sourceNote"]?.text { lines.append(fact("", note)) }
    return lines
  }

  /// Returns a name and its value, on as many lines as needed.
  func fact(_ name: String, _ text: String) -> String {
    let indent = 11
    return style.emphasise(name.padded(indent), .faint)
      + time.sentence(text).printable.wrapped(width, indent: indent, taken: indent).joined(separator: "\n")
  }

  /// Returns `3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11, 42 events, durable`, with faults on lines below.
  private func journal(_ manager: Record) -> [String] {
    guard let name = manager["journal"]?.text else { return [] }
    let last = manager["lastSequence"]?.plainText.map { $0 == "0" ? "no event yet" : "last event \($0)" }
    let keeping = manager["durable"].map { $0 == .flag(true) ? "durable" : "in memory only" }
    let damaged = manager["damagedEvents"]?.plainText.flatMap { $0 == "0" ? nil : "\($0) damaged or lost" }
    return [fact("journal", [name, last, keeping, damaged].compactMap(\.self).joined(separator: ", "))]
      + (manager["journalNote"]?.text.map { [fact("", $0)] } ?? [])
  }

  /// Returns `3 regions of 2 apps, 1 idle`; nothing if no app has registered a region.
  private func registrations(_ manager: Record) -> [String] {
    func count(_ key: String) -> UInt64 { manager["registrations"]?.record?[key]?.plainText.flatMap { UInt64($0) } ?? 0 }
    guard count("regions") > 0 else { return [] }
    let regions = "\(count("regions")) region\(count("regions") == 1 ? "" : "s")"
    let apps = "\(count("apps")) app\(count("apps") == 1 ? "" : "s")"
    return [fact("registered", "\(regions) of \(apps)" + (count("idle") > 0 ? ", \(count("idle")) idle: not permitted" : ""))]
  }

  /// Returns an adapter's line, with faults on lines below.
  /// `B0:EC:AC:00:00:00 hci0, scanning since 2026-11-21 08:51:02Z, 12.3 reports/s, RSSI +3.0 dB`; for an adapter that does not scan,
  /// `last report 2026-11-21 08:51:02Z` replaces the rate.
  private func lines(_ adapter: Record) -> [String] {
    let name = [adapter["address"]?.text, adapter["name"]?.text].compactMap(\.self).joined(separator: " ")
    let state = (adapter["state"]?.text ?? style.dash) + (adapter["since"].map { " since \(second($0))" } ?? "")
    let rate =
      adapter["state"]?.text == "scanning"
      ? adapter["reportsPerSecond"]?.plainText.map { "\($0) reports/s" } : adapter["lastReport"].map { "last report \(second($0))" }
    let offset = adapter["rssiOffset"]?.plainText.flatMap {
      ["0.0", "-0.0"].contains($0) ? nil : "RSSI \($0.hasPrefix("-") ? "" : "+")\($0) dB"
    }
    let line = fact("adapter", [name, state, rate, offset].compactMap(\.self).joined(separator: ", "))
    return [line] + (adapter["note"]?.text.map { [fact("", $0)] } ?? [])
  }

  /// `8ec76ea3-6668-48da-9866-75be8bc86f4d/1/5, -59 dBm at 1 m, advertising, B0:EC:AC:00:00:00, since 2026-11-21 08:51:02Z`
  private func advertisement(_ beacon: Record) -> String {
    let identity = ["uuid", "major", "minor"].compactMap { beacon[$0]?.plainText }.joined(separator: "/")
    let power = beacon["measuredPower"]?.plainText.map { "\($0) dBm at 1 m" }
    let since = beacon["since"].map { "since \(second($0))" }
    return [identity, power, beacon["state"]?.text, beacon["adapter"]?.text, since, beacon["note"]?.text].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// Returns `1949 advertisements, 1949 iBeacons, 3 malformed, 12 packets lost`.
  /// Events that were broken as a whole are among the malformed.
  private func heard(_ manager: Record) -> [String] {
    guard manager["sourceState"]?.text != "none", let statistics = manager["statistics"]?.record else { return [] }
    let malformed = (statistics["malformed"]?.record?.values ?? []).reduce(UInt64(0)) { $0 + (UInt64($1.plainText ?? "") ?? 0) }
    let text =
      "\(statistics["advertisements"]?.plainText ?? "0") advertisements, \(statistics["iBeacons"]?.plainText ?? "0") iBeacons, "
      + "\(malformed) malformed" + (statistics["lostPackets"]?.plainText.map { ", \($0) packets lost" } ?? "")
    return [fact("heard", text)]
  }

  /// Returns the state of each region, with advice on lines below; `beaconmon monitor` begins with it too.
  public func table(_ regions: [Record]) -> [String] {
    guard !regions.isEmpty else { return "no regions; add some to the config".wrapped(width) }
    let circles = regions.count { $0["radius"] != nil }
    let mark = circles == 0 ? "beacon" : circles == regions.count ? "boundary" : "beacon or boundary"
    var table = TextTable(
      style: style,
      [
        .init(title: "region", leastWidth: 12), .init(title: "state") { $0 == "inside" ? .green : nil }, .init(title: "since", leavesAs: 2),
        .init(title: mark, leavesAs: 1), .init(title: "last seen", leavesAs: 0),
      ])
    for region in regions {
      table.rows.append([
        (region["identifier"]?.text ?? style.dash).printable, (region["state"]?.text ?? style.dash).printable, second(region["since"]),
        self.mark(region), second(region["lastSeen"] ?? region["fixTime"]),
      ])
      table.notes.append([region["note"]?.text, flapping(region), learning(region)].compactMap { $0?.printable })
    }
    return table.lines(width)
  }

  /// Returns major and minor of the last beacon, or the distance to the boundary and the device's side of it.
  private func mark(_ region: Record) -> String {
    if let metres = region["boundaryDistance"]?.quantity {
      return units.boundary(metres, accuracy: region["location"]?.record?["horizontalAccuracy"]?.quantity)
    }
    return region["beacon"]?.record.map { "\($0["major"]?.plainText ?? "?")/\($0["minor"]?.plainText ?? "?")" } ?? style.dash
  }

  /// Returns the note on flaps; nil for a region without flaps, or with so few that no change is needed.
  private func flapping(_ region: Record) -> String? {
    guard let flaps = region["flaps"]?.plainText, let advice = region["advice"]?.text else { return nil }
    return "needlessly left and entered again \(flaps) times since yesterday; use \(advice)"
  }

  private func learning(_ region: Record) -> String? {
    region["learnedExitDelay"]?.text.map { "has learned an exit delay of \($0)" }
  }

  func second(_ value: RecordValue?) -> String { value?.time.map(time.second) ?? style.dash }
}
