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
  public var reason: Reason

  public enum Reason: Hashable, Sendable {
    /// A device hears the beacon, which was in no room.
    case appeared(level: Double, device: Int32)
    /// A device of another room hears the beacon louder.
    case louder(Comparison)
    /// No device has heard the beacon for this time.
    case silent(Span)
  }

  /// The figures of a decision between two rooms, at its end.
  public struct Comparison: Hashable, Sendable {
    /// The loudest device of the new room, and its level in dBm after its offset.
    public var device: Int32
    public var level: Double
    /// The loudest device of the old room, and its level in dBm after its offset.
    /// The level is nil if no device of that room hears the beacon any more.
    public var formerDevice: Int32?
    public var formerLevel: Double?
    /// The lead in dB that the decision required.
    public var requiredLead: Double
    /// The time for which the new room has led.
    public var held: Span
    /// Whether the rooms are on different floors, so that the decision required more.
    public var isBetweenFloors: Bool
    /// Whether the devices of the old room were silent for all beacons, so that the decision required more.
    public var isFormerDeviceSilent: Bool

    /// The lead of the new room in dB; nil if no device of the old room hears the beacon.
    public var lead: Double? { formerLevel.map { level - $0 } }
  }
}
