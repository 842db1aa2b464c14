import Beacons
import Instants

/// A beacon's change from one room of a site to another.
public struct RoomChange: Hashable, Sendable {
  public var beacon: BeaconIdentity
  /// The room before; nil if the beacon was in none.
  public var from: String?
  /// The room now; nil if the beacon left the site.
  public var to: String?
  public var time: Instant
  /// The beginning of the stay in the room before; nil if the beacon was in none.
  public var since: Instant?
  public var reason: Reason

  public init(beacon: BeaconIdentity, from: String?, to: String?, time: Instant, since: Instant?, reason: Reason) {
    (self.beacon, self.from, self.to, self.time, self.since, self.reason) = (beacon, from, to, time, since, reason)
  }

  public enum Reason: Hashable, Sendable {
    /// A device hears the beacon, which was in no room.
    case appeared(Reading)
    /// Another room has become more likely, by the levels at which all devices hear the beacon.
    case moreLikely(Comparison)
    /// No device has heard the beacon for this time.
    case silent(Span)
    /// The filter no longer follows the beacon: its room has no device any more, or the site has too many beacons.
    case dropped
  }

  /// The figures of a decision between two rooms, at its end.
  public struct Comparison: Hashable, Sendable {
    /// The loudest device of the new room.
    public var present: Reading
    /// The loudest device of the old room; nil if none of that room hears the beacon.
    public var former: Reading?
    /// The natural logarithm of how many times as likely the new room is, and the value that the decision required.
    public var lead: Double
    public var requiredLead: Double
    /// The time for which the new room has led.
    public var held: Span
    /// Whether the rooms are on different floors, so that the decision required more.
    public var isBetweenFloors: Bool
  }

  /// The level at which a device hears the beacon.
  public struct Reading: Hashable, Sendable {
    public var device: Int32
    /// The level in dBm.
    public var level: Double
    /// The level at which the device usually hears beacons near it. It contains the offset of the device.
    public var usualLevel: Double
  }
}

extension RoomChange {
  /// The explanation for staff in one sentence.
  public var explanation: String {
    switch reason {
    case .appeared(let reading): return "appeared in \(to ?? "no room"): \(reading)"
    case .silent(let span): return "left \(from ?? "the site"): no device has heard it for \(Int(span.seconds)) s"
    case .dropped: return "left \(from ?? "the site"): the room has no device any more, or the site has too many tags"
    case .moreLikely(let comparison):
      let former = comparison.former.map { ", \($0)" } ?? ", and no device of \(from ?? "the old room") hears it"
      let floors = comparison.isBetweenFloors ? "; the rooms are on different floors, so the signs had to be clearer" : ""
      let held = Swift.max(1, Int(comparison.held.seconds.rounded()))
      return "moved from \(from ?? "no room") to \(to ?? "no room"): \(comparison.present)\(former); this held for \(held) s\(floors)"
    }
  }
}

extension RoomChange.Reading: CustomStringConvertible {
  public var description: String {
    "device \(device) hears it at \(Int(level.rounded())) dBm (usually \(Int(usualLevel.rounded())) nearby)"
  }
}
