import Instants

/// The parameters of a room filter. The defaults are those of the simulation in Docs/fleet.md.
public struct RoomFilterSettings: Hashable, Sendable {
  /// The time constant of the levels in the hub; the devices have filtered them with 2 s.
  public var timeConstant: Span = .seconds(4)
  /// The lead in dB from which a rival room gains evidence.
  public var lead: Double = 3
  /// The evidence in dB·s above `lead` that moves a beacon.
  public var evidence: Double = 15
  /// The most evidence in dB that counts at once, so that one outlier cannot decide.
  public var greatestLead: Double = 12
  /// The longest time for which one reading counts.
  public var longestStep: Span = .seconds(3)
  /// The additional lead in dB of a room on another floor.
  /// Concrete takes 15 to 20 dB (Rappaport, table 4.5), an open stairwell next to nothing.
  public var floorLead: Double = 4
  /// The factor of the evidence for a room on another floor.
  public var floorFactor: Double = 2
  /// The additional lead in dB while the devices of the present room report nothing.
  public var outageLead: Double = 6
  /// The loss in dB a second of a level that its device no longer reports.
  public var fade: Double = 1
  /// The time after which a level is forgotten.
  public var memory: Span = .seconds(60)
  /// The time without any sighting after which a beacon has left.
  public var departure: Span = .seconds(120)
  /// The most beacons of a site; beyond, the filter forgets beacons without a room first, and then those silent for longest.
  public var mostBeacons = 10_000

  public init() {}
}
