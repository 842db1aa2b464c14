import IndoorPositioning
import Instants
import Regions
import Venues

extension VenueTracker {
  /// A venue with the engine that follows the device through it.
  struct Room: Sendable {
    let venue: Venue
    /// Follows the device; nil for a venue that cannot be modelled.
    var engine: IndoorEngine?
    /// The areas that regions monitor, in the order of the engine's queries.
    var areas: [VenueArea] = []
    /// The last second with an estimate.
    var last: IndoorOutput?
    /// The time at which silence shows that the device is outside.
    var silenceEnd = Instant.never
    /// Whether the device can be at the venue.
    var gate: VenueGate
    /// Whether the device is at the venue; nil unless a region is the whole venue.
    var presence: VenuePresence?
    /// Whether the device is at a venue without beacons; nil unless a region is the whole venue.
    var outline: OutlinePresence?
    /// The time at which a planned beacon was last heard.
    var lastHeard = Instant(microseconds: .min)

    var hasBeacons: Bool { !venue.beacons.isEmpty }
    /// Whether anything can decide whether the device is at the venue.
    var isDecidable: Bool { hasBeacons || gate.circle != nil }
    var nextSecond: Instant { engine?.nextDeadline ?? .never }
    var isHeard: Bool { nextSecond != .never }
    /// The time from which fixes exclude a silent venue without an engine; `.never` if none does.
    var doubtEnd: Instant {
      engine == nil && gate.isContradicted && lastHeard.microseconds != .min ? lastHeard + IndoorEngine.longestSilence : .never
    }
    var deadline: Instant {
      min(nextSecond, gate.deadline, presence?.deadline ?? .never, outline?.deadline ?? .never, silenceEnd, doubtEnd)
    }

    /// Returns whether a planned beacon was heard lately.
    func isHeard(at time: Instant) -> Bool {
      engine == nil ? lastHeard.microseconds != .min && time - lastHeard < IndoorEngine.longestSilence : isHeard
    }

    /// Sets whether a region is the whole venue.
    ///
    /// - Parameter fix: the last fix; nil if none is valid.
    mutating func watchWhole(_ isWatched: Bool, _ fix: Fix?, at time: Instant) {
      guard isWatched else {
        (presence, outline) = (nil, nil)
        return
      }
      if hasBeacons {
        if presence == nil { presence = newPresence(at: time) }
      } else if outline == nil {
        outline = VenueOutline(venue).map(OutlinePresence.init)
        if let fix { outline?.note(fix, at: time) }
      }
    }

    /// Returns a presence about which the last fix decides at once.
    func newPresence(at time: Instant) -> VenuePresence {
      var presence = VenuePresence(at: time)
      if gate.insideUntil > time { presence.noteInside(at: time) }
      if gate.isClosed { presence.leave(at: time) }
      return presence
    }

    /// Forgets the position, and keeps what was learned.
    mutating func reset() {
      guard isHeard else { return }
      engine?.forgetPosition()
      last = nil
    }
  }
}
