import BeaconAdvertising
import Beacons
import RadioHealth
import Status

extension StatusText {
  /// Returns the obstacle that keeps the daemon from receiving beacons; nil if there is none.
  /// It is nil while the daemon receives, is about to, or would on request. A daemon without a source of beacons has no such obstacle: it
  /// refuses requests that need one by itself.
  public static func hearingObstacle(_ status: MonitorStatus) -> HearingObstacle? {
    let source = status.source
    let notes: [String]
    if source.state == .gone {
      notes = source.note.map { [$0] } ?? (status.adapters ?? []).compactMap(fault)
    } else if source.state == .paused, source.hasEnded == true {
      notes = [source.note, "restart beaconmond to play it again"].compactMap(\.self)
    } else {
      return nil
    }
    let text =
      ["beaconmond cannot receive beacons (source \(self.source(source)))"] + (notes.isEmpty ? ["see \"beaconmon status\""] : notes)
    return HearingObstacle(text: text.joined(separator: ": ").printable, isExplained: !notes.isEmpty)
  }

  /// Returns why an adapter hears nothing: `00:1A:7D:DA:71:13 is off: switch it on`.
  private static func fault(_ adapter: AdapterStatus) -> String? {
    adapter.note.map { "\(adapter.address?.description ?? "adapter") is \(adapter.state?.rawValue ?? "unknown"): \($0)" }
  }
}
