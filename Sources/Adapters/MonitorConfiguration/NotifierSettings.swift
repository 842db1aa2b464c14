import EventActions

/// The actions and targets of the notifier, and their limits.
public struct NotifierSettings: Hashable, Sendable {
  /// The maximum number of commands that run in parallel.
  public var parallelCommands: Int
  /// The targets in the order of the file, including those of actions, without duplicate names.
  public var targets: [Target]
  /// The actions in the order of the file. Every action that matches an event runs.
  public var actions: [EventAction]

  public init(parallelCommands: Int = 4, targets: [Target] = [], actions: [EventAction] = []) {
    self.parallelCommands = parallelCommands
    self.targets = targets
    self.actions = actions
  }
}
