import Events
import Instants

/// The identity of a problem: at most one alert is open for each.
public struct AlertKey: Hashable, Comparable, Sendable {
  public var kind: Event.Alert
  /// The device, the site, the beacon or the part of the hub, such as `berlin.door`.
  public var subject: String

  public init(_ kind: Event.Alert, _ subject: String) { (self.kind, self.subject) = (kind, subject) }

  public static func < (a: AlertKey, b: AlertKey) -> Bool { (a.kind.rawValue, a.subject) < (b.kind.rawValue, b.subject) }
}

/// A problem that exists now.
public struct Problem: Hashable, Sendable {
  /// The site; nil for a problem of the hub.
  public var site: String?
  /// The name of the device within the site.
  public var device: String?
  /// The start of the problem.
  public var since: Instant
  /// The problem in a sentence without its full stop.
  public var text: String

  public init(site: String? = nil, device: String? = nil, since: Instant, text: String) {
    (self.site, self.device, self.since, self.text) = (site, device, since, text)
  }
}

/// The state of a watched part of the fleet.
public enum WatchedState: Hashable, Sendable {
  /// The absence of a problem, with the time of its evidence.
  case good(at: Instant)
  case bad(Problem)
  /// The state cannot be known now, for example that of a device whose site has no link.
  case unknown

  /// Whether there is certainly no problem.
  var isGood: Bool { if case .good = self { true } else { false } }
}
