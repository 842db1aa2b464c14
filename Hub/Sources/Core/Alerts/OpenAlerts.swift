import Events
import Instants

/// An alert that is open.
public struct OpenAlert: Hashable, Sendable {
  /// The number in the database; nil until it is stored.
  public var id: Int64?
  public var key: AlertKey
  public var problem: Problem
  public var opened: Instant
  /// The time since which the problem is over, which has to last; nil while it exists.
  public var calmSince: Instant?
  /// Whether targets know the alert. A muted one is announced when the mute ends.
  public var isAnnounced: Bool

  public init(
    id: Int64? = nil, key: AlertKey, problem: Problem, opened: Instant, calmSince: Instant? = nil, isAnnounced: Bool = false
  ) {
    (self.id, self.key, self.problem, self.opened) = (id, key, problem, opened)
    (self.calmSince, self.isAnnounced) = (calmSince, isAnnounced)
  }
}

/// A change of the alerts.
public enum AlertChange: Hashable, Sendable {
  case opened(OpenAlert)
  /// The time since which the problem is over has begun or was interrupted.
  case calmed(OpenAlert)
  /// The problem was over at `at`; the text is for staff.
  case ended(OpenAlert, at: Instant, text: String)
}

/// The open alerts, and the problems that have not lasted long enough for one.
public struct OpenAlerts: Sendable {
  private let steady: Span
  public private(set) var open: [AlertKey: OpenAlert]
  /// The times at which problems were first seen.
  private var pending: [AlertKey: Instant] = [:]

  public init(steady: Span, open: [OpenAlert] = []) {
    self.steady = steady
    self.open = Dictionary(open.map { ($0.key, $0) }) { $1 }
  }

  /// Applies the states of a check, and returns the changes in the order of their keys.
  ///
  /// An alert ends after its problem was over for the steady time, so that a device that comes and goes has one alert. An alert whose part
  /// is no longer watched ends at once.
  public mutating func apply(_ states: [AlertKey: WatchedState], at now: Instant) -> [AlertChange] {
    var changes: [AlertChange] = []
    pending = pending.filter { !(states[$0.key]?.isGood ?? true) }
    for (key, state) in states {
      guard case .bad(let problem) = state else { continue }
      if let alert = open[key] {
        if alert.calmSince != nil { changes.append(.calmed(set(key, calmSince: nil, alert))) }
      } else {
        let first = pending[key] ?? now
        pending[key] = first
        guard now - first >= key.kind.hold(steady) else { continue }
        pending[key] = nil
        var problem = problem
        problem.since = min(problem.since, first)
        let alert = OpenAlert(key: key, problem: problem, opened: now)
        open[key] = alert
        changes.append(.opened(alert))
      }
    }
    for (key, alert) in open {
      switch states[key] {
      case .good(let time):
        guard let calm = alert.calmSince else {
          changes.append(.calmed(set(key, calmSince: time, alert)))
          continue
        }
        // A single message of a silent device does not show that the device is back.
        if time - calm >= steady { changes.append(end(alert, at: calm, "is over")) }
      case nil: changes.append(end(alert, at: now, "is no longer watched"))
      case .bad, .unknown: break
      }
    }
    return changes.sorted { $0.key < $1.key }
  }

  /// Notes the number of an alert that was stored, and whether it was announced.
  public mutating func stored(_ key: AlertKey, id: Int64, isAnnounced: Bool) {
    open[key]?.id = id
    open[key]?.isAnnounced = isAnnounced
  }

  private mutating func set(_ key: AlertKey, calmSince: Instant?, _ alert: OpenAlert) -> OpenAlert {
    var alert = alert
    alert.calmSince = calmSince
    open[key] = alert
    return alert
  }

  private mutating func end(_ alert: OpenAlert, at: Instant, _ end: String) -> AlertChange {
    open[alert.key] = nil
    let lasted = max(.zero, at - alert.problem.since).rounded
    return .ended(alert, at: at, text: "\(alert.key.name) \(end) after \(lasted)")
  }
}

extension AlertChange {
  var key: AlertKey {
    switch self {
    case .opened(let alert), .calmed(let alert), .ended(let alert, _, _): alert.key
    }
  }
}

extension Event.Alert {
  /// The time for which the problem has to last before its alert.
  fileprivate func hold(_ steady: Span) -> Span {
    switch self {
    // These limits are times already, and a cloned identity has alternated several times.
    case .deviceSilent, .neverConnected, .siteSilent, .fleetSilent, .beaconMissing, .deviceDeaf, .identityCloned, .certificateEnding,
      .messagesRefused:
      .zero
    case .diskLow, .clockWrong, .backlog, .workerMissing: steady
    }
  }
}

extension AlertKey {
  /// The problem as the subject of a sentence.
  fileprivate var name: String {
    switch kind {
    case .deviceSilent, .siteSilent: "the silence of \(subject)"
    case .neverConnected: "the absence of new devices of \(subject)"
    case .fleetSilent: "the silence of the fleet"
    case .beaconMissing: "the absence of \(subject)"
    case .deviceDeaf: "the deafness of \(subject)"
    case .diskLow: "the lack of disk space of \(subject)"
    case .clockWrong: "the wrong clock of \(subject)"
    case .identityCloned: "the double identity of \(subject)"
    case .messagesRefused: "the refusal of messages of \(subject)"
    case .certificateEnding: "the end of the certificate of \(subject)"
    case .backlog: "the backlog at the broker"
    case .workerMissing: "the lack of a worker"
    }
  }
}
