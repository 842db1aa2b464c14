import FleetMessages
import Instants

/// The limits beyond which a state of a fleet is a problem.
public struct AlertLimits: Hashable, Sendable {
  /// The time after which a silent device is a problem.
  ///
  /// Half of it is more than the pause between two reports, so that a site without a link raises one alert and not one for each device.
  public var silence = Span.seconds(Double(3 * DeviceReport.interval))
  /// The silence of a beacon with a name.
  public var missing = Span.seconds(86_400)
  /// The time for which a problem must be over before its alert ends.
  ///
  /// Problems other than silence must also last for this time before their alert.
  public var steady = Span.seconds(120)
  /// The free octets of a device's disk.
  public var freeSpace: UInt64 = 200_000_000
  /// The free octets of a disk of the hub.
  public var hubFreeSpace: UInt64 = 2_000_000_000
  /// The messages that wait in all queues.
  public var backlog = 10_000

  public init() {}

  /// The limit that causes false alerts, with its remedy; nil if there is none.
  public var fault: String? {
    guard silence < .seconds(Double(DeviceReport.longestSilence)) else { return nil }
    return "silent-after: a device without beacons in range sends only a report every \(DeviceReport.interval / 60) minutes, and would be "
      + "announced as silent between two reports; write at least \"\(DeviceReport.longestSilence / 60)m\""
  }
}
