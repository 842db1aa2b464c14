import DBus
import Records

// MARK: Guidance

extension RemoteSession {
  /// Leads to a destination, in place of an earlier one.
  public func startGuidance(_ options: GuidanceOptions) { perform(plan.startGuidance(options.record)) }

  func receiveGuidance(_ signal: DBusMessage) {
    guard plan.isGuided, let event = RemoteGuidanceEvent(signal) else { return }
    if case .ended = event { plan.guidanceEnded() }
    handler(.guidance(event))
  }
}
