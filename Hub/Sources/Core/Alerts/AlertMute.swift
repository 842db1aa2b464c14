import Events
import Instants

/// A part of the fleet whose alerts are not announced for some time.
public struct AlertMute: Hashable, Sendable {
  /// The longest time of a mute that ends by itself.
  public static let longest = Span.seconds(366 * 86_400)

  /// A site, a device such as `berlin.door`, or the subject of an alert.
  public var subject: String
  /// The kind of alerts; nil for all.
  public var kind: Event.Alert?

  public init(subject: String, kind: Event.Alert? = nil) { (self.subject, self.kind) = (subject, kind) }

  public func concerns(_ alert: OpenAlert) -> Bool {
    guard kind == nil || kind == alert.key.kind else { return false }
    if subject == alert.key.subject || subject == alert.problem.site { return true }
    guard let site = alert.problem.site, let device = alert.problem.device else { return false }
    return subject == "\(site).\(device)"
  }
}
