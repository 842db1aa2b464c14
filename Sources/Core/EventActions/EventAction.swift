import Records

/// Which events go to which targets.
public struct EventAction: Hashable, Sendable {
  /// The values of an event's key `event` that an action can wait for.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case cross
    case state
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

  /// Who gets `event`, the record of a region event: nobody, when it has no region or is of another kind.
  public func targets(for event: Record) -> [String] {
    guard let region = event["region"]?.text, let trigger = event["event"]?.text.flatMap(Trigger.init(rawValue:)),
      regions?.contains(region) ?? true
    else { return [] }
    return triggers.contains(trigger) ? targets : targets.filter(stateKeepers.contains)
  }
}

extension [EventAction] {
  /// The names of all targets that an event goes to, each once.
  public func targets(for event: Record) -> [String] {
    var seen: Set<String> = []
    return flatMap { $0.targets(for: event) }.filter { seen.insert($0).inserted }
  }
}
