import Instants

/// The line of a service in `systemctl status`.
///
/// It contains a refused reload, a note about keys with an old name, the health unless it is `ok`, and the activity.
public struct UnitStatus: Hashable, Sendable {
  /// The activity, such as "Listening"; empty before the program is ready.
  public var activity = ""
  /// A note about the configuration in use; nil if there is none.
  public var note: String?
  /// The last reload, if it was refused; nil since a reload succeeded, and before the first one.
  public var refusedReload: RefusedReload?
  /// The line that the service manager has.
  private var reported: String?

  public init() {}

  /// Returns the line if it differs from the last one that was returned.
  ///
  /// - Parameter health: nil if it is not known yet, such as after a reload.
  public mutating func change(_ health: HealthReport? = nil) -> String? {
    var health = health
    // The text of the refused reload replaces this problem, because it also has the time.
    health?.remove(.configuration)
    let trouble = health.flatMap { $0.state == .ok ? nil : $0.line }
    let line = [refusedReload?.text, note, trouble, activity].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "; ")
    guard line != reported else { return nil }
    reported = line
    return line
  }
}

/// A reload that was refused: the program keeps the previous configuration.
public struct RefusedReload: Hashable, Sendable {
  /// The time since the Unix epoch.
  public let time: Instant
  /// The first problem, and the number of further ones.
  public let reason: String

  public init(time: Instant, _ problems: [Substring]) {
    self.time = time
    reason = (problems.first.map(String.init) ?? "") + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
  }

  fileprivate var text: String { "Reload refused at \(time.rfc3339.prefix(19))Z: \(reason)" }
}
