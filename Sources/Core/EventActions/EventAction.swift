import Events

/// Which events go to which targets.
public struct EventAction: Hashable, Sendable {
  /// The kinds of events that an action can wait for.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case cross
    case state

    /// Nil for an event that no action can wait for.
    public init?(_ kind: Event.Kind) {
      switch kind {
      case .enter: self = .enter
      case .exit: self = .exit
      case .dwell: self = .dwell
      case .cross: self = .cross
      case .state: self = .state
      case .damaged: return nil
      }
    }
  }

  /// The identifiers of the regions that count; nil means every region.
  public let regions: Set<String>?
  public let triggers: Set<Trigger>
  /// The names of the targets, each once.
  public let targets: [String]
  /// Those among them that get every event of the regions: they keep states, and a state that they were never told of they cannot keep.
  public let stateKeepers: Set<String>

  public static let defaultTriggers: Set<Trigger> = [.enter, .exit]

  public init(regions: Set<String>? = nil, triggers: Set<Trigger> = defaultTriggers, targets: [String], stateKeepers: Set<String> = []) {
    self.regions = regions
    self.triggers = triggers
    self.targets = targets
    self.stateKeepers = stateKeepers
  }

  /// The names of the targets that get `event`; none for an event without a region, and for one that no action can wait for.
  public func targets(for event: Event) -> [String] {
    guard let region = event.region, let trigger = event.kind.flatMap({ Trigger($0) }), regions?.contains(region) ?? true else { return [] }
    return triggers.contains(trigger) ? targets : targets.filter(stateKeepers.contains)
  }
}

extension [EventAction] {
  /// The names of all targets that an event goes to, each once.
  public func targets(for event: Event) -> [String] {
    var seen: Set<String> = []
    return flatMap { $0.targets(for: event) }.filter { seen.insert($0).inserted }
  }
}
