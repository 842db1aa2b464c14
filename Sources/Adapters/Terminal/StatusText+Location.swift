import Locations
import Records
import Status

extension StatusText {
  private static let shownSwitches = 4

  /// Returns the location of the device, the state of each source, and the last switches.
  /// It is empty for a device without a source while location services are on.
  func locations(_ status: MonitorStatus) -> [String] {
    let isOff = status.locationServices.isEnabled == false
    let switchedOff = "off; \"beaconmon privacy on\" switches location services on"
    guard let sources = status.locationSources, !sources.isEmpty else { return isOff ? [fact("location", switchedOff)] : [] }
    let text = LocationText(style: style, units: units)
    let isAsked = sources.contains { $0.isOn == true }
    let known = status.location.map(text.summary) ?? (isAsked ? "unknown" : isOff ? "" : "not requested")
    let place = [known, isOff ? switchedOff : ""].filter { !$0.isEmpty }.joined(separator: "; ")
    let switches = (status.locationSwitches ?? []).suffix(Self.shownSwitches)
    return [fact("location", place)] + sources.flatMap(source) + switches.map { fact("", change($0)) }
  }

  /// Returns the server of addresses, with its fault on a line below; nothing without a server.
  func addresses(_ geocoding: GeocodingStatus?) -> [String] {
    guard let geocoding, let server = geocoding.server else { return [] }
    let answers = geocoding.answers.flatMap { $0 == 0 ? nil : Count.text($0, "answer") }
    let known = geocoding.known.flatMap { $0 == 0 ? nil : Count.text($0, "known address", plural: "known addresses") }
    let line = [geocoding.state?.rawValue, answers, known].compactMap(\.self).joined(separator: ", ")
    return [fact("addresses", "\(server): \(line)")] + (geocoding.note.map { [fact("", $0)] } ?? [])
  }

  /// Returns a source's line, with faults on lines below.
  /// `gpsd: fixing, 120 fixes, refused: 2 ahead, 1 latitude, malformed: 1 checksum, limited 3 times`
  private func source(_ source: LocationSourceStatus) -> [String] {
    let name = source.source ?? style.dash
    let fixes = source.fixes.flatMap { $0 == 0 ? nil : Count.text($0, "fix", plural: "fixes") }
    let refused = tally("refused", source.refused)
    let malformed = tally("malformed", source.lines?.malformed)
    let limited = source.lines?.limited.map { "limited \(Count.text($0, "time"))" }
    let line = [source.state?.rawValue, fixes, refused, malformed, limited].compactMap(\.self).joined(separator: ", ")
    return ["\(name): \(line)", source.heading.flatMap(compass), source.note].compactMap(\.self).map { fact("", $0) }
  }

  /// Returns `compass 94.0° true, 101.1° magnetic`.
  private func compass(_ heading: HeadingReport) -> String? {
    let degrees = style.hasUnicode ? "°" : " deg"
    let headings = [(heading.trueHeading, "true"), (heading.magneticHeading, "magnetic")].compactMap { value, name in
      value.flatMap { Decimal.text($0, decimals: 1) }.map { "\($0)\(degrees) \(name)" }
    }
    return headings.isEmpty ? nil : "compass \(headings.joined(separator: ", "))"
  }

  /// Returns `refused: 2 ahead, 1 latitude`; nil if there is no count.
  func tally(_ name: String, _ reasons: NamedCounts?) -> String? {
    guard let reasons, !reasons.isEmpty else { return nil }
    return "\(name): \(reasons.entries.map { "\($0.count) \($0.name)" }.joined(separator: ", "))"
  }

  /// Returns `2026-11-21 08:51:02Z gpsd on: the best is wanted`.
  private func change(_ change: LocationSwitch) -> String {
    "\(second(change.time)) \(change.source ?? "") \(change.isOn == true ? "on" : "off"): \(change.reason ?? "")"
  }
}
