import Status

extension StatusText {
  /// Returns `connected`, or the reason why the hub cannot be reached; nothing without a hub.
  func lines(_ hub: HubStatus?) -> [String] {
    guard let hub else { return [] }
    let state = hub.isConnected.map { $0 ? "connected" : "not connected" } ?? "unknown"
    return [fact("hub", state)] + (hub.trouble.map { [fact("", $0)] } ?? [])
  }
}

extension HubStatus.Rollout {
  /// Returns the state in words, with the reason of its end.
  func words(since begin: String) -> String {
    let state =
      switch state {
      case .onTrial: "on trial since \(begin)"
      case .confirmed: "confirmed"
      case .refused: "refused"
      case .rolledBack: "rolled back"
      case nil: "in an unknown state"
      }
    return state + (reason.map { ": \($0)" } ?? "")
  }
}
