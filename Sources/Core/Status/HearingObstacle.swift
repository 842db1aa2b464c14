import Beacons
import RadioHealth

/// The reason why a daemon receives no beacon.
public struct HearingObstacle: Hashable, Sendable {
  /// The source, its state and the remedy, on one line.
  public let text: String
  /// Whether the daemon knows the fault; false while it has just started.
  public let isExplained: Bool

  public init(text: String, isExplained: Bool) {
    (self.text, self.isExplained) = (text, isExplained)
  }
}

extension MonitorStatus {
  /// The faults that keep the daemon from receiving beacons, with their remedies; empty while the daemon does not know them.
  ///
  /// Nil while the daemon receives beacons, is about to receive them, or would do so on request. Also nil without a source of beacons,
  /// because the daemon itself refuses requests that need one.
  public var hearingFaults: [String]? {
    if source.state == .gone {
      source.note.map { [$0] } ?? (adapters ?? []).compactMap(\.hearingFault)
    } else if source.state == .paused, source.hasEnded == true {
      [source.note, "restart beaconmond to play it again"].compactMap(\.self)
    } else {
      nil
    }
  }
}

extension AdapterStatus {
  /// The reason why the adapter hears nothing: `00:1A:7D:DA:71:13 is off: switch it on`.
  fileprivate var hearingFault: String? {
    note.map { "\(address?.description ?? "adapter") is \(state?.rawValue ?? "unknown"): \($0)" }
  }
}
