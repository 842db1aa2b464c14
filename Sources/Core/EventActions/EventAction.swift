import Instants
import Records

/// What to do when something happens at a region.
public struct EventAction: Hashable, Sendable {
  /// The values of an event's key `event` that an action can wait for.
  public enum Trigger: String, CaseIterable, Sendable {
    case enter
    case exit
    case dwell
    case state
  }

  public enum Deed: Hashable, Sendable {
    /// Runs a program: an argument vector of at least one element, never a shell's text. It is ended after `timeout`.
    case command([String], timeout: Span)
    /// Shows a desktop notification.
    case notification(title: Template, body: Template)
    /// Writes a line to the log.
    case log(Template)
  }

  /// The identifiers of the regions that count; nil means every region.
  public let regions: Set<String>?
  public let triggers: Set<Trigger>
  public let deed: Deed

  public static let defaultTriggers: Set<Trigger> = [.enter, .exit]
  public static let defaultTimeout = Span.seconds(30)

  public init(regions: Set<String>? = nil, triggers: Set<Trigger> = defaultTriggers, deed: Deed) {
    self.regions = regions
    self.triggers = triggers
    self.deed = deed
  }

  /// Whether this is to be done for `event`, the record of a region event. One without a region or of another kind matches nothing.
  public func matches(_ event: Record) -> Bool {
    guard let region = event["region"]?.text, let trigger = event["event"]?.text.flatMap(Trigger.init(rawValue:)) else { return false }
    return triggers.contains(trigger) && regions?.contains(region) ?? true
  }
}
