import Instants
import Records

/// The progress of a recording: one line on a terminal while it runs, one sentence at its end.
public struct RecordingLine: Sendable {
  public var advertisements: Int
  public var iBeacons: Int
  public var altBeacons: Int
  public var lostPackets: Int
  public var octets: Int
  public var elapsed: Span

  public init(advertisements: Int, iBeacons: Int, altBeacons: Int = 0, lostPackets: Int, octets: Int, elapsed: Span) {
    self.advertisements = advertisements
    self.iBeacons = iBeacons
    self.altBeacons = altBeacons
    self.lostPackets = lostPackets
    self.octets = octets
    self.elapsed = elapsed
  }

  /// Returns the progress line, which covers the line before.
  public func progress(limitSize: UInt64, duration: Span, columns: Int, style: TerminalStyle) -> String {
    let left = Swift.max(.zero, duration - elapsed)
    let text = "\(counts)  \(Self.size(octets)) of \(Self.size(Int(clamping: limitSize)))  \(ProgressBar.clock(left)) left"
    return ProgressBar.erase + text.clipped(Swift.max(0, columns - 1), ellipsis: style.ellipsis)
  }

  public var summary: String { "\(counts), \(Self.size(octets)) in \(ProgressBar.clock(elapsed))" }

  /// Returns the result as `--json` prints it.
  public func record(file: String, reason: String?) -> Record {
    Record([
      "file": .text(file), "advertisements": .count(UInt64(advertisements)), "iBeacons": .count(UInt64(iBeacons)),
      "altBeacons": altBeacons == 0 ? nil : .count(UInt64(altBeacons)),
      "lostPackets": lostPackets == 0 ? nil : .count(UInt64(lostPackets)), "octets": .count(UInt64(octets)),
      "seconds": .quantity(elapsed.seconds, decimals: 3), "reason": reason.map { .text($0) },
    ])
  }

  private var counts: String {
    let counts = [
      Count.text(advertisements, "advertisement"), Count.text(iBeacons, "iBeacon"),
      altBeacons == 0 ? nil : Count.text(altBeacons, "AltBeacon"),
      lostPackets == 0 ? nil : "\(lostPackets) lost",
    ]
    return counts.compactMap(\.self).joined(separator: ", ")
  }

  private static func size(_ octets: Int) -> String {
    switch octets {
    case 1_000_000...: "\(Decimal.text(Double(octets) / 1e6, decimals: 1) ?? "?") MB"
    case 1000...: "\(Decimal.text(Double(octets) / 1e3, decimals: 0) ?? "?") kB"
    default: "\(octets) B"
    }
  }
}
