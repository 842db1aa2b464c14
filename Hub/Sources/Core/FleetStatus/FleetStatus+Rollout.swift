extension FleetStatus {
  /// The state of a device's rollout. The raw value is that of the report.
  public enum RolloutState: Int, CaseIterable, Sendable {
    case onTrial = 0
    case confirmed
    case refused
    case rolledBack

    /// The state in JSON.
    var name: String {
      switch self {
      case .onTrial: "onTrial"
      case .confirmed: "confirmed"
      case .refused: "refused"
      case .rolledBack: "rolledBack"
      }
    }

    /// The state in words.
    var words: String {
      switch self {
      case .onTrial: "on trial"
      case .confirmed: "confirmed"
      case .refused: "refused"
      case .rolledBack: "rolled back"
      }
    }
  }

  /// The rollout that a device reported last.
  public struct DeviceRollout: Hashable, Sendable {
    public var revision: Int64
    public var state: RolloutState
    /// The reason for a refusal or a rollback.
    public var text: String

    public init(revision: Int64, state: RolloutState, text: String) { (self.revision, self.state, self.text) = (revision, state, text) }
  }

  /// A device of a rollout.
  public struct RolloutDevice: Hashable, Sendable {
    /// Site and name.
    public var name: String
    /// The state that it reports; nil if it has not answered.
    public var state: RolloutState?
    /// The reason for a refusal or a rollback.
    public var text: String

    public init(name: String, state: RolloutState?, text: String) { (self.name, self.state, self.text) = (name, state, text) }
  }

  /// The numbers of devices that got a rollout, by their state.
  public struct RolloutCounts: Hashable, Sendable {
    /// Devices that have not answered.
    public var waiting: Int64
    public var onTrial: Int64
    public var confirmed: Int64
    public var refused: Int64
    public var rolledBack: Int64

    public init(waiting: Int64, onTrial: Int64, confirmed: Int64, refused: Int64, rolledBack: Int64) {
      (self.waiting, self.onTrial, self.confirmed) = (waiting, onTrial, confirmed)
      (self.refused, self.rolledBack) = (refused, rolledBack)
    }
  }

  /// A rollout of configuration.
  public struct Rollout: Hashable, Sendable {
    public var revision: Int64
    /// The phase, such as `canary`.
    public var phase: String
    /// Seconds since the start of the phase.
    public var age: Int64
    /// The reason of its end, or for which it waits.
    public var reason: String
    /// Sites and devices, separated by commas.
    public var audience: String
    public var actor: String
    /// The time of the soak in seconds.
    public var soak: Int64
    public var counts: RolloutCounts
    public var canaries: [RolloutDevice] = []
    /// Other devices that have refused it or rolled it back.
    public var failures: [RolloutDevice] = []

    public init(
      revision: Int64, phase: String, age: Int64, reason: String, audience: String, actor: String, soak: Int64, counts: RolloutCounts
    ) {
      (self.revision, self.phase, self.age, self.reason) = (revision, phase, age, reason)
      (self.audience, self.actor, self.soak, self.counts) = (audience, actor, soak, counts)
    }
  }
}

extension FleetStatus.Rollout {
  /// The rollout in lines of at most 80 columns.
  public var lines: [String] {
    let words =
      switch phase {
      case "canary": "tried by its canaries"
      case "soak": "confirmed by its canaries, which have to stay healthy for \(FleetStatus.duration(soak))"
      case "rest": "sent to all of its devices"
      default: phase
      }
    var lines = FleetStatus.wrapped("rollout \(revision): \(words), for \(FleetStatus.duration(age))", indent: "")
    if !reason.isEmpty { lines += FleetStatus.wrapped(reason) }
    lines += FleetStatus.wrapped("to \(audience), by \(actor)")
    for canary in canaries { lines += FleetStatus.wrapped("canary \(canary.name): \(canary.answer)") }
    let numbers = [
      (counts.confirmed, "confirmed"), (counts.onTrial, "on trial"), (counts.refused, "refused"), (counts.rolledBack, "rolled back"),
      (counts.waiting, "without an answer"),
    ]
    let known = numbers.filter { $0.0 > 0 }.map { "\(FleetStatus.count($0.0)) \($0.1)" }
    lines += FleetStatus.wrapped("devices: " + (known.isEmpty ? "none yet" : known.joined(separator: ", ")))
    for device in failures { lines += FleetStatus.wrapped("\(device.name): \(device.answer)") }
    return lines
  }
}

extension FleetStatus.RolloutDevice {
  /// The state in words, with the reason.
  fileprivate var answer: String { (state?.words ?? "no answer") + (text.isEmpty ? "" : ": \(text)") }
}
