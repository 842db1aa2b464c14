public import Instants
public import Venues

/// One packet of a transmitter of the plan as one adapter heard it.
public struct IndoorSighting: Hashable, Sendable {
  /// The transmitter's index in the model.
  public var transmitter: Int
  public var adapter: UInt16
  /// The RSSI in dBm.
  public var rssi: Double
  public var time: Instant

  public init(transmitter: Int, adapter: UInt16 = 0, rssi: Double, time: Instant) {
    self.transmitter = transmitter
    self.adapter = adapter
    self.rssi = rssi
    self.time = time
  }
}

/// A probability that the engine computes each second.
public enum IndoorQuery: Hashable, Sendable {
  /// A transmitter is closer than this distance in metres.
  case within(transmitter: Int, metres: Double)
  /// The receiver is in an area.
  case inside(RoomArea)
}

/// The estimated position of one second.
public struct IndoorEstimate: Hashable, Sendable {
  /// The ordinal of the level, and its probability.
  public var level: Int
  public var levelProbability: Double
  public var point: PlanPoint
  /// The radius in metres around the point that holds 68 % of the probability.
  public var radius: Double
  /// The radius in metres around the point that holds 68 % of the positions.
  public var accuracy: Double
  /// One standard deviation of the point along each axis, in metres.
  public var deviation: Double { RoomAccuracy.deviation(ofRadius: accuracy) }
  /// The number of transmitters heard within three seconds.
  public var heard: Int
  /// The standard deviation in dB of the level of the least known adapter.
  public var levelDeviation: Double
}

/// The reason why there is no position.
public enum IndoorAbsence: Hashable, Sendable {
  /// The filter has run for less than three seconds.
  case starting
  /// Fewer than four transmitters were heard within three seconds.
  case tooFewTransmitters
  /// The accuracy is worse than 8 m.
  case inaccurate
  /// No signal, or signals so weak that the receiver is not in the building.
  case outside
  /// The loudest transmitter seems far away: the level of the adapter or the plan is wrong.
  case inconsistent
  /// No level is probable enough.
  case uncertainLevel
}

/// The output of one second.
public struct IndoorOutput: Hashable, Sendable {
  /// The distance to a transmitter.
  public struct Distance: Hashable, Sendable {
    public var transmitter: Int
    public var distance: RoomDistance
  }

  /// A whole second of the time of the sightings.
  public var time: Instant
  /// The position, or nil with the reason in `absence`.
  public var estimate: IndoorEstimate?
  public var absence: IndoorAbsence?
  /// The distances to the transmitters heard within ten seconds, by their indices; empty without a position.
  public var distances: [Distance] = []
  /// The probabilities in the order of the queries; empty without a position.
  public var answers: [Double] = []

  /// Whether enough transmitters are heard for decisions about zones.
  public var isGoodForZones: Bool { (estimate?.heard ?? 0) >= IndoorEngine.leastHeardForZones }

  /// The largest standard deviation in dB of the adapter's level at which the output decides about the distance to a beacon.
  ///
  /// A calibrated adapter has this deviation, and another one after 20 seconds of walking. A level that is wrong by 5 dB shifts all
  /// distances alike.
  private static let mostLevelDeviation = 1.5

  /// Whether the output decides about the distance to a beacon better than the signal of that beacon.
  public var isGoodForDistances: Bool { isGoodForZones && estimate.map { $0.levelDeviation <= Self.mostLevelDeviation } ?? false }
}

extension IndoorOutput {
  /// Returns the output for a receiver that is known to be elsewhere.
  public static func outside(at time: Instant) -> IndoorOutput { IndoorOutput(time: time, estimate: nil, absence: .outside) }
}
