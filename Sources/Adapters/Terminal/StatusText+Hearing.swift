import Records

extension StatusText {
  /// The reason why a daemon receives no beacon.
  public struct HearingObstacle: Equatable, Sendable {
    /// The source, its state and the remedy, as `status` shows them, on one line.
    public let text: String
    /// Whether the daemon knows the fault; false while it has just started.
    public let isExplained: Bool
  }

  /// Returns the obstacle that keeps the daemon from receiving beacons; nil if there is none.
  /// It is nil while the daemon receives, is about to, or would on request. A daemon without a source of beacons has no such obstacle: it
  /// refuses requests that need one by itself.
  ///
  /// - Parameters:
  ///   - manager: As for `text`.
  ///   - adapters: As for `text`.
  public static func hearingObstacle(manager: Record, adapters: [Record]) -> HearingObstacle? {
    let notes: [String]
    switch manager["sourceState"]?.text {
    case "gone":
      notes =
        manager["sourceNote"]?.text.map { [$0] }
        ?? adapters.compactMap { adapter in
          adapter["note"]?.text.map { "\(adapter["address"]?.text ?? "adapter") is \(adapter["state"]?.text ?? "unknown"): \($0)" }
        }
    case "paused" where hasEnded(manager):
      notes = [manager["sourceNote"]?.text, "restart beaconmond to play it again"].compactMap(\.self)
    default: return nil
    }
    let text = ["beaconmond cannot receive beacons (source \(source(manager)))"] + (notes.isEmpty ? ["see \"beaconmon status\""] : notes)
    return HearingObstacle(text: text.joined(separator: ": ").printable, isExplained: !notes.isEmpty)
  }

  /// Returns whether a source that is paused has nothing more to play.
  /// A recording or a simulation has an end, unlike the adapters of a machine; while a circle suspends the scan it plays on.
  static func hasEnded(_ manager: Record) -> Bool {
    let (name, note) = (manager["source"]?.text ?? "", manager["sourceNote"]?.text ?? "")
    return (name.hasPrefix("capture:") || name.hasPrefix("simulator:")) && !note.hasPrefix("scanning paused since")
  }
}
