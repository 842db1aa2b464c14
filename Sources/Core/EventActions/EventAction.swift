import Events

/// A rule that sends events of regions to targets.
public struct EventAction: Hashable, Sendable {
  /// The kinds of events that can trigger an action.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case cross
    case state

    /// Creates a trigger; `nil` for an event that cannot trigger an action.
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

  /// The identifiers of the regions; `nil` for every region.
  public let regions: Set<String>?
  public let triggers: Set<Trigger>
  /// The names of the targets, each once.
  public let targets: [String]
  /// The names of the targets that receive every event of the regions.
  /// They publish the states of regions, which requires every change.
  public let stateKeepers: Set<String>

  public static let defaultTriggers: Set<Trigger> = [.enter, .exit]

  public init(regions: Set<String>? = nil, triggers: Set<Trigger> = defaultTriggers, targets: [String], stateKeepers: Set<String> = []) {
    self.regions = regions
    self.triggers = triggers
    self.targets = targets
    self.stateKeepers = stateKeepers
  }

  /// Returns the names of the targets that receive `event`.
  /// The list is empty for an event without a region and for one that cannot trigger an action.
  public func targets(for event: Event) -> [String] {
    guard let region = event.region, let trigger = event.kind.flatMap({ Trigger($0) }), regions?.contains(region) ?? true else { return [] }
    return triggers.contains(trigger) ? targets : targets.filter(stateKeepers.contains)
  }
}

extension [EventAction] {
  /// Returns the names of all targets that receive an event, each once.
  public func targets(for event: Event) -> [String] {
    var seen: Set<String> = []
    return flatMap { $0.targets(for: event) }.filter { seen.insert($0).inserted }
  }
}
