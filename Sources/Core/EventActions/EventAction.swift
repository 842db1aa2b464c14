import Events

/// A rule that sends events of regions, appointments and expected beacons to targets.
public struct EventAction: Hashable, Sendable {
  /// The identifiers of the regions; `nil` for every region, and for appointments and expected beacons.
  public let regions: Set<String>?
  public let triggers: Set<Event.Kind>
  /// The names of the targets, each once.
  public let targets: [String]
  /// The names of the targets that receive every event of the regions.
  /// They publish the states of regions, which requires every change.
  public let stateTargets: Set<String>

  public static let defaultTriggers: Set<Event.Kind> = [.enter, .exit]

  public init(regions: Set<String>? = nil, triggers: Set<Event.Kind> = defaultTriggers, targets: [String], stateTargets: Set<String> = []) {
    self.regions = regions
    self.triggers = triggers
    self.targets = targets
    self.stateTargets = stateTargets
  }

  /// Returns the names of the targets that receive `event`.
  /// The list is empty for an event that cannot trigger an action. An event at no region triggers only actions for all regions.
  public func targets(for event: Event) -> [String] {
    guard let kind = event.kind, kind.canTrigger else { return [] }
    if kind.isOfAppointment || kind.isOfBeacon { return regions == nil && triggers.contains(kind) ? targets : [] }
    guard let region = event.region, regions?.contains(region) ?? true else { return [] }
    return triggers.contains(kind) ? targets : targets.filter(stateTargets.contains)
  }
}

extension Event.Kind {
  /// The kinds of events that can trigger an action.
  public static let triggers = allCases.filter(\.canTrigger)

  fileprivate var canTrigger: Bool {
    switch self {
    case .enter, .exit, .dwell, .cross, .state, .depart, .hurry, .arrive, .miss: true
    case .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered: true
    // The hub of a fleet has targets for its alerts, and no actions.
    case .alert, .alertEnded: false
    case .damaged: false
    }
  }
}

extension [EventAction] {
  /// Returns the names of all targets that receive an event, each once.
  public func targets(for event: Event) -> [String] {
    var seen: Set<String> = []
    return flatMap { $0.targets(for: event) }.filter { seen.insert($0).inserted }
  }
}
