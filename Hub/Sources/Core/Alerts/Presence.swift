import Instants

/// An unbroken period in which a part of the fleet was heard.
public struct Presence: Hashable, Sendable {
  public var heard: Instant
  /// The start of the period.
  public var since: Instant

  public init(heard: Instant, since: Instant) { (self.heard, self.since) = (heard, since) }

  /// Notes the newest message. A longer gap than `gap` begins another period.
  mutating func note(_ newest: Instant, gap: Span) {
    if newest - heard > gap { since = newest }
    heard = max(heard, newest)
  }
}

/// The periods in which the parts of a fleet were heard.
///
/// Silence counts only in these: a device is not silent while its site has no link, and a site is not while no worker stores messages.
public struct PresenceRecord: Hashable, Sendable {
  /// The parts with a presence.
  public enum Part: Hashable, Sendable {
    /// The workers of the hub, which are heard by each check.
    case workers
    case fleet
    case site(String)
    /// Site and name.
    case device(String)
  }

  public private(set) var presences: [Part: Presence]

  public init(_ presences: [Part: Presence] = [:]) { self.presences = presences }

  public subscript(part: Part) -> Presence? { presences[part] }

  /// Notes the newest message of a part. A part that is new counts as present from this message on.
  mutating func note(_ part: Part, heard newest: Instant, gap: Span) {
    presences[part, default: Presence(heard: newest, since: newest)].note(newest, gap: gap)
  }

  mutating func forget(_ part: Part) { presences[part] = nil }

  /// Forgets sites and devices that are watched no longer.
  mutating func keep(where isWatched: (Part) -> Bool) { presences = presences.filter { isWatched($0.key) } }
}
