import EventActions

/// What the notifier does, and how much of it at once.
public struct NotifierSettings: Hashable, Sendable {
  /// The most commands that run at the same time.
  public var parallelCommands: Int
  /// In the order of the file; every one that matches an event is done.
  public var actions: [EventAction]

  public init(parallelCommands: Int = 4, actions: [EventAction] = []) {
    self.parallelCommands = parallelCommands
    self.actions = actions
  }
}
