import Instants
import Records

extension StatusText {
  private static let shownSwitches = 4

  /// Returns the location of the device, the state of each source, and the last switches.
  /// It is empty for a device without a source while location services are on.
  func locations(_ manager: Record) -> [String] {
    let isOff = manager["locationServicesEnabled"] == .flag(false)
    let switchedOff = "off; \"beaconmon privacy on\" switches location services on"
    guard let sources = manager["locationSources"]?.list, !sources.isEmpty else { return isOff ? [fact("location", switchedOff)] : [] }
    let text = LocationText(style: style, units: units)
    let isAsked = sources.contains { $0["isOn"] == .flag(true) }
    let known = manager["location"]?.record.map(text.summary) ?? (isAsked ? "unknown" : isOff ? "" : "not requested")
    let place = [known, isOff ? switchedOff : ""].filter { !$0.isEmpty }.joined(separator: "; ")
    let switches = (manager["locationSwitches"]?.list ?? []).suffix(Self.shownSwitches)
    return [fact("location", place)] + sources.flatMap(source) + switches.map { fact("", change($0)) }
  }

  /// Returns a source's line, with faults on lines below.
  /// `gpsd: fixing, 120 fixes, refused: 2 ahead, 1 latitude, malformed: 1 checksum, limited 3 times`
  private func source(_ source: Record) -> [String] {
    let name = source["source"]?.text ?? style.dash
    let fixes = source["fixes"]?.plainText.flatMap { $0 == "0" ? nil : "\($0) fix\($0 == "1" ? "" : "es")" }
    let refused = tally("refused", source["refused"]?.record)
    let malformed = tally("malformed", source["lines"]?.record?["malformed"]?.record)
    let limited = source["lines"]?.record?["limited"]?.plainText.map { "limited \($0) time\($0 == "1" ? "" : "s")" }
    let line = [source["state"]?.text, fixes, refused, malformed, limited].compactMap(\.self).joined(separator: ", ")
    return ["\(name): \(line)", source["heading"]?.record.flatMap(compass), source["note"]?.text].compactMap(\.self).map { fact("", $0) }
  }

  /// Returns `compass 94.0° true, 101.1° magnetic`.
  private func compass(_ heading: Record) -> String? {
    let degrees = style.hasUnicode ? "°" : " deg"
    let headings = [("trueHeading", "true"), ("magneticHeading", "magnetic")].compactMap { key, name in
      heading[key]?.plainText.map { "\($0)\(degrees) \(name)" }
    }
    return headings.isEmpty ? nil : "compass \(headings.joined(separator: ", "))"
  }

  /// Returns `refused: 2 ahead, 1 latitude`; nil if there is no count.
  private func tally(_ name: String, _ reasons: Record?) -> String? {
    let reasons = (reasons ?? Record()).fields.map { "\($1.plainText ?? "?") \($0)" }
    return reasons.isEmpty ? nil : "\(name): \(reasons.joined(separator: ", "))"
  }

  /// Returns `2026-11-21 08:51:02Z gpsd on: the best is wanted`.
  private func change(_ change: Record) -> String {
    let state = change["isOn"] == .flag(true) ? "on" : "off"
    return "\(change["time"].map(second) ?? style.dash) \(change["source"]?.text ?? "") \(state): \(change["reason"]?.text ?? "")"
  }
}
