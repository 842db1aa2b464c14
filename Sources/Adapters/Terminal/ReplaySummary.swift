import BeaconAdvertising
import Records

/// The content of a capture, as `beaconmon replay --summary` prints it: one fact a line.
public struct ReplaySummary: Sendable {
  public var counts: AdvertisementStatistics
  public var beacons: Int
  public var events: Int
  /// The length in the capture's own time.
  public var seconds: Double
  /// The length in real time.
  public var elapsed: Double

  public init(counts: AdvertisementStatistics, beacons: Int, events: Int, seconds: Double, elapsed: Double) {
    self.counts = counts
    self.beacons = beacons
    self.events = events
    self.seconds = seconds
    self.elapsed = elapsed
  }

  public var text: String {
    let advertisements = counts.advertisements ?? 0
    let rate = Double(advertisements) / Swift.max(elapsed, 1e-6)
    var lines = [("advertisements", String(advertisements)), ("iBeacons", String(counts.iBeacons ?? 0))]
    if let altBeacons = counts.altBeacons { lines.append(("AltBeacons", String(altBeacons))) }
    lines += details("kind", counts.kinds ?? [:])
    lines += details("malformed", counts.malformed ?? [:])
    let troubles = [
      ("joined fragments", counts.joinedFragments), ("dropped fragments", counts.droppedFragments), ("held times", counts.heldTimes),
      ("lost packets", counts.lostPackets),
    ]
    lines += troubles.compactMap { name, count in count.map { (name, String($0)) } }
    lines += [
      ("beacons", String(beacons)), ("events", String(events)), ("seconds of capture", Decimal.text(seconds, decimals: 3) ?? "?"),
      ("advertisements per second", Decimal.text(rate, decimals: 0) ?? "?"),
    ]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { $0.0.padded(width) + "  " + $0.1 + "\n" }.joined()
  }

  private func details(_ title: String, _ counts: NamedCounts) -> [(String, String)] {
    counts.entries.map { ("\(title): \(words($0.name))", String($0.count)) }
  }

  /// Returns the words of a key: `structure overrun` for `structureOverrun`.
  /// The name of a format stays one word: `iBeacon length` for `iBeaconLength`.
  private func words(_ key: String) -> String {
    key.indices.reduce(into: "") { text, index in
      let beginsWord = key[index].isUppercase && !key[index...].hasPrefix("Beacon")
      text += beginsWord ? " " + key[index].lowercased() : String(key[index])
    }
  }
}
