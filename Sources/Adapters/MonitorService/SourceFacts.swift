import Instants
import Monitoring
import RadioHealth

/// The manager's properties of the source that can change.
struct SourceFacts {
  let state: SourceState
  let reason: String?
  let note: String?
  let pausedSince: Instant?
  let hasEnded: Bool

  init(_ monitoring: MonitoringService) {
    (state, reason, note) = (monitoring.sourceState, monitoring.source.reason, monitoring.sourceNote)
    (pausedSince, hasEnded) = (monitoring.sourcePausedSince, monitoring.source.hasEnded)
  }

  /// Returns the properties that differ from `old`. State and note explain each other, so they are announced together.
  func changes(from old: SourceFacts) -> [String] {
    (reason == old.reason ? [] : ["SourceReason"]) + ((state, note) == (old.state, old.note) ? [] : ["SourceState", "SourceNote"])
      + (pausedSince == old.pausedSince ? [] : ["SourcePausedSince"])
      + (hasEnded == old.hasEnded ? [] : ["SourceEnded"])
  }
}
