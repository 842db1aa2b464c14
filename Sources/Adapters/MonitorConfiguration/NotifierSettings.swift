import EventActions

/// The actions and targets of the notifier, and their limits.
public struct NotifierSettings: Hashable, Sendable {
  /// The most commands that run at the same time.
  public var parallelCommands: Int
  /// In the order of the file, those that an action brings itself included; no name twice.
  public var targets: [Target]
  /// In the order of the file; every one that matches an event is done.
  public var actions: [EventAction]

  public init(parallelCommands: Int = 4, targets: [Target] = [], actions: [EventAction] = []) {
    self.parallelCommands = parallelCommands
    self.targets = targets
    self.actions = actions
  }
}
