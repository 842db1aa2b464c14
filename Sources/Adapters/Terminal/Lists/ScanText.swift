import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Records

/// The result of `beaconmon scan` for a pipe.
public struct ScanText: Sendable {
  /// The source of the sightings, for a person.
  private let source: String
  private let style: TerminalStyle
  private let format: TimeFormat

  public init(source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    self.format = format
    self.source = source.printable
    self.style = style
  }

  /// Returns the whole table with the sentences below it.
  public func text(_ scan: ScanReport) -> String {
    ([title(scan)] + table(scan) + footer(scan)).map { $0 + "\n" }.joined()
  }
}

// MARK: Beacons

extension ScanText {
  private func title(_ scan: ScanReport) -> String {
    let clock = scan.time.map(format.clock)
    let length = scan.since.flatMap { since in scan.time.flatMap { Decimal.text(($0 - since).seconds, decimals: 0) } }.map { "\($0) s" }
    return ["scan", source, clock, length].compactMap(\.self).joined(separator: "  ")
  }

  private func table(_ scan: ScanReport) -> [String] {
    guard let uuids = scan.uuids, !uuids.isEmpty else { return ["no beacon in range"] }
    return [cells("uuid", "beacons", "dBm", "m", "adv/s", "seen")] + uuids.flatMap { lines(of: $0, at: scan.time) }
  }

  private func lines(of group: ScanReport.Group, at time: Instant?) -> [String] {
    let row = BeaconRow(group.strongest, at: time ?? .never)
    let uuid = group.uuid?.description ?? style.dash
    let count = group.count.map { String($0) } ?? "?"
    let dash = style.dash
    return [
      cells(uuid, count, row.rssi ?? dash, row.measured?.value ?? dash, row.rate ?? dash, row.age.map { "\($0) s" } ?? dash),
      "  " + group.identities,
    ]
  }

  private func cells(_ uuid: String, _ others: String...) -> String {
    let widths = [7, 6, 6, 6, 7]
    return ([uuid.padded(36)] + zip(others, widths).map { $0.padded($1, isRight: true) }).joined(separator: "  ")
  }
}

extension ScanReport.Group {
  /// The values of the strongest beacon.
  var strongest: BeaconReport {
    var strongest = BeaconReport()
    (strongest.rssi, strongest.distance, strongest.rate, strongest.lastSeen) = (rssi, distance, rate, lastSeen)
    return strongest
  }

  /// The text `1/7 1/5 1/12, and 3 more`, the strongest first.
  var identities: String {
    let beacons = beacons ?? []
    func text(_ number: UInt16?) -> String { number.map { String($0) } ?? "?" }
    let names = beacons.map { "\(text($0.major))/\(text($0.minor))" }.joined(separator: " ")
    let more = (count ?? 0) - Swift.min(count ?? 0, UInt64(beacons.count))
    return names + (more == 0 ? "" : ", and \(more) more")
  }
}

// MARK: Other advertisements and notes

extension ScanText {
  /// Returns the sentences below the table.
  func footer(_ scan: ScanReport) -> [String] { [cut(scan), others(scan), advice(scan)].compactMap(\.self) }

  /// Returns a note on the entries that are not shown, and why.
  private func cut(_ scan: ScanReport) -> String? {
    let listed = scan.uuids?.count ?? 0
    let parts = [
      scan.uuidCount.flatMap { $0 > listed ? "\($0 - UInt64(listed)) weaker UUIDs" : nil },
      scan.forgotten.map { "\($0) silent beacons" },
      scan.unlisted.map { "\($0) advertisements of beacons beyond the limit of a scan" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "not shown: \(parts.joined(separator: ", "))"
  }

  /// Returns `also heard: 130 apple, 12 eddystone advertisements`.
  private func others(_ scan: ScanReport) -> String? {
    let kinds = (scan.kinds?.entries ?? []).filter { $0.name != "iBeacon" }
    guard !kinds.isEmpty else { return nil }
    let counts = kinds.map { "\($0.count) \(Self.words[$0.name] ?? $0.name.printable)" }
    return "other advertisements: \(counts.joined(separator: ", "))"
  }

  private static let words = [
    "apple": "Apple", "altBeacon": "AltBeacon", "eddystone": "Eddystone", "manufacturer": "other manufacturers", "other": "other kinds",
  ]

  /// Returns the next command for the strongest beacon.
  private func advice(_ scan: ScanReport) -> String? {
    scan.uuids?.first?.uuid.map { "next: beaconmon range \($0)" }
  }
}
