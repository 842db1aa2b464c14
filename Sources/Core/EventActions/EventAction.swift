import Events

/// A rule that sends events of regions, appointments and expected beacons to targets.
public struct EventAction: Hashable, Sendable {
  /// The kinds of events that can trigger an action.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case cross
    case state
    case depart
    case hurry
    case arrive
    case miss
    case beaconMissing = "beacon-missing"
    case beaconWeak = "beacon-weak"
    case beaconMoved = "beacon-moved"
    case beaconDuplicate = "beacon-duplicate"
    case beaconRecovered = "beacon-recovered"

    /// Creates a trigger; `nil` for an event that cannot trigger an action.
    public init?(_ kind: Event.Kind) { self.init(rawValue: kind.rawValue) }
  }

  /// The identifiers of the regions; `nil` for every region, and for appointments and expected beacons.
  public let regions: Set<String>?
  public let triggers: Set<Trigger>
  /// The names of the targets, each once.
  public let targets: [String]
  /// The names of the targets that receive every event of the regions.
  /// They publish the states of regions, which requires every change.
  public let stateTargets: Set<String>

  public static let defaultTriggers: Set<Trigger> = [.enter, .exit]

  public init(regions: Set<String>? = nil, triggers: Set<Trigger> = defaultTriggers, targets: [String], stateTargets: Set<String> = []) {
    self.regions = regions
    self.triggers = triggers
    self.targets = targets
    self.stateTargets = stateTargets
  }

  /// Returns the names of the targets that receive `event`.
  /// The list is empty for an event that cannot trigger an action. An event at no region triggers only actions for all regions.
  public func targets(for event: Event) -> [String] {
    guard let kind = event.kind, let trigger = Trigger(kind) else { return [] }
    if kind.isOfAppointment || kind.isOfBeacon { return regions == nil && triggers.contains(trigger) ? targets : [] }
    guard let region = event.region, regions?.contains(region) ?? true else { return [] }
    return triggers.contains(trigger) ? targets : targets.filter(stateTargets.contains)
  }
}

extension [EventAction] {
  /// Returns the names of all targets that receive an event, each once.
  public func targets(for event: Event) -> [String] {
    var seen: Set<String> = []
    return flatMap { $0.targets(for: event) }.filter { seen.insert($0).inserted }
  }
}
