import Instants

/// The parameters of a room filter. The defaults are those of the simulation in Docs/fleet/rooms.md.
public struct BeaconRoomFilterSettings: Hashable, Sendable {
  /// The time constant of the levels in the hub; the devices have filtered them with 2 s.
  public var timeConstant: Span = .seconds(3)
  /// The logarithm of the odds from which another room gains evidence, after the beacon has moved and while it rests.
  ///
  /// The levels of a beacon that rests err for as long as it rests, so they are not new evidence however long they last.
  public var movedLead: Double = 1.5
  public var restLead: Double = 10
  /// The time after a movement until a beacon counts as resting.
  public var freshTime: Span = .seconds(25)
  /// The mean square in dB² by which the levels of a beacon that moves differ from those of its place.
  ///
  /// Those of one that rests differ by about 8: twice the variance of slow fading, and the fades of single packets.
  public var movement: Double = 20
  /// The time constant with which a place follows the levels of a beacon that rests.
  public var placeTime: Span = .seconds(30)
  /// The share of a device's silence about a beacon in a likelihood: a digest lists 20 beacons only.
  public var silenceShare: Double = 0.5
  /// The evidence that moves a beacon: the time integral of the logarithm above the lead, in seconds.
  public var evidence: Double = 6
  /// The largest excess over the lead that counts at once, so that one outlier cannot decide.
  public var greatestLead: Double = 1.5
  /// The longest time for which one reading counts.
  public var longestStep: Span = .seconds(3)
  /// The additional lead of a room on another floor, and the factor of its evidence: the way there takes longer.
  public var floorLead: Double = 3
  public var floorFactor: Double = 1.5
  /// The additional lead in a surveyed site of a room that no door joins with the present one.
  public var doorLead: Double = 3
  /// The factor of the evidence in a surveyed site until this time after a movement, in which a beacon may only pass.
  public var passingFactor: Double = 1.5
  public var settlingTime: Span = .seconds(5)
  /// The lead below which a stay teaches no levels, because the room is not clear.
  public var clearLead: Double = 4
  /// The loss in dB a second of a level that its device no longer reports.
  public var fade: Double = 2
  /// The time after which a level is forgotten.
  public var memory: Span = .seconds(60)
  /// The time without any sighting after which a beacon has left.
  public var departure: Span = .seconds(120)
  /// The maximum number of beacons of a site.
  ///
  /// Beyond it, the filter forgets beacons without a room first, and then those that have been silent for longest.
  public var mostBeacons = 10_000

  public init() {}
}
