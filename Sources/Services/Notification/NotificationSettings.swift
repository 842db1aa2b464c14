import Beacons
import EventActions
import Events

/// The parts of the config that notification follows.
public struct NotificationSettings: Equatable, Sendable {
  /// The maximum number of commands that run at once.
  public var parallelCommands: Int
  /// The targets; no name twice.
  public var targets: [Target]
  /// The actions; every one that matches an event applies.
  public var actions: [EventAction]
  /// The identifiers of the config's regions, in their order.
  public var regions: [String]
  /// The identifiers of the regions that are circles.
  public var circles: Set<String>
  /// The beacons of the beacon regions by identifier.
  public var constraints: [String: BeaconConstraint]

  public init(
    parallelCommands: Int = 4, targets: [Target] = [], actions: [EventAction] = [], regions: [String] = [], circles: Set<String> = [],
    constraints: [String: BeaconConstraint] = [:]
  ) {
    self.parallelCommands = parallelCommands
    self.targets = targets
    self.actions = actions
    self.regions = regions
    self.circles = circles
    self.constraints = constraints
  }
}

extension NotificationSettings {
  /// Returns the names of the targets that receive an event of the config's journal.
  func targets(for event: Event) -> [String] {
    let all = event.kind == .damaged ? [] : targets.filter(\.means.takesEveryEvent).map(\.name)
    return actions.targets(for: event) + all
  }

  /// Returns the regions of the actions with this target, in the order of the configuration.
  func regions(of target: String) -> [String] {
    let actions = actions.filter { $0.targets.contains(target) }
    return regions.filter { region in actions.contains { $0.regions?.contains(region) ?? true } }
  }
}
