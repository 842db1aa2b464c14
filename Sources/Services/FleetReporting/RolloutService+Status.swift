import FleetMessages
import Instants
import Scheduling
public import Status

extension RolloutService {
  /// The rollout that was received last, for people; nil before the first one.
  public var status: HubStatus.Rollout? {
    report.map { report in
      HubStatus.Rollout(
        revision: report.revision, state: HubStatus.Rollout.State(report.state), since: report.state == .onTrial ? trialStart : nil,
        reason: report.text.isEmpty ? nil : report.text)
    }
  }

  /// The start of the trial since the Unix epoch; nil without one.
  private var trialStart: Instant? {
    record.trial.map { scheduler.wallClock - Span.seconds(Double($0.elapsed)) - (scheduler.now - lastTick) }
  }
}

extension HubStatus.Rollout.State {
  fileprivate init(_ state: RolloutReport.State) {
    self =
      switch state {
      case .onTrial: .onTrial
      case .confirmed: .confirmed
      case .refused: .refused
      case .rolledBack: .rolledBack
      }
  }
}
