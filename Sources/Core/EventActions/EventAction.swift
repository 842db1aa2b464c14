import Records

/// Which events go to which targets.
public struct EventAction: Hashable, Sendable {
  /// The values of an event's key `event` that an action can wait for.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case state
  }

  /// The identifiers of the regions that count; nil means every region.
  public let regions: Set<String>?
  public let triggers: Set<Trigger>
  /// The names of the targets, each once.
  public let targets: [String]

  public static let defaultTriggers: Set<Trigger> = [.enter, .exit]

  public init(regions: Set<String>? = nil, triggers: Set<Trigger> = defaultTriggers, targets: [String]) {
    self.regions = regions
    self.triggers = triggers
    self.targets = targets
  }

  /// Whether this is to be done for `event`, the record of a region event. One without a region or of another kind matches nothing.
  public func matches(_ event: Record) -> Bool {
    guard let region = event["region"]?.text, let trigger = event["event"]?.text.flatMap(Trigger.init(rawValue:)) else { return false }
    return triggers.contains(trigger) && regions?.contains(region) ?? true
  }
}

extension [EventAction] {
  /// The names of all targets that an event goes to, each once.
  public func targets(for event: Record) -> [String] {
    var seen: Set<String> = []
    return filter { $0.matches(event) }.flatMap(\.targets).filter { seen.insert($0).inserted }
  }
}
