import RealModule
import Venues

/// The sums from which an adapter's offsets follow, by the identities of transmitters, to be kept over restarts.
public struct LearnedRadio: Hashable, Sendable, Codable {
  /// Five sums for each transmitter that was heard while the receiver walked.
  public var transmitters: [String: [Double]]
  /// The seconds of walking that taught something.
  public var seconds: Int

  public init(transmitters: [String: [Double]] = [:], seconds: Int = 0) {
    self.transmitters = transmitters
    self.seconds = seconds
  }
}

/// Learns the offsets of one adapter at one venue from the filter's own positions, while the receiver walks.
///
/// Least squares with priors: an offset for each transmitter, a common level and the path-loss exponent. Each second with a packet of a
/// transmitter is one row, whose weight falls with the deviation and with the variance of the distance.
public struct RadioLearner: Hashable, Sendable {
  /// The level in dB at which an unknown adapter starts.
  ///
  /// A start that is too low recovers. A start 6 dB too high throws all positions to the walls, and their likelihood does not show it.
  public static let unknownLevel = -5.0
  /// The seconds of walking after which the offsets help the ranging of single beacons.
  /// After ten seconds the level still causes gross enters on the gallery walks.
  public static let secondsForRanging = 20

  private static let offsetDeviation = 3.5
  private static let levelDeviation = 4.0
  /// The standard deviation in dB of a calibrated adapter's level.
  private static let calibratedDeviation = 1.0
  private static let halvingSeconds = 10.0
  private static let exponentDeviation = 0.25
  /// The variance in dB² of a second's mean, twelvefold because seconds are correlated.
  private static let variance = 12.0 * 36
  /// The deviation in dB at which a row counts half.
  private static let robustDeviation = 12.0
  /// The number of rows of one transmitter at which older rows begin to fade: an hour of walking.
  private static let memory = 3600.0
  /// The rows after which the unknowns are solved for.
  private static let period = 10
  /// The bounds of learned values, in dB and for the exponent.
  private static let mostOffset = 12.0
  private static let mostLevel = 20.0
  private static let mostExponent = 0.75

  /// The offsets in use.
  public private(set) var correction: RadioCorrection
  /// The seconds of walking that taught something.
  public private(set) var seconds = 0
  private var system: ArrowSystem
  private let initialLevel: Double

  /// Starts without knowledge.
  ///
  /// - Parameter level: the expected level of the adapter in dB: zero if it was calibrated.
  public init(transmitters: Int, level: Double = unknownLevel) {
    initialLevel = level
    correction = RadioCorrection(level: level, offsets: [Double](repeating: 0, count: transmitters))
    system = ArrowSystem(
      sums: Array(repeating: ArrowSystem.Sums(), count: transmitters),
      offset: ArrowSystem.Prior(value: 0, deviation: Self.offsetDeviation),
      level: ArrowSystem.Prior(value: level, deviation: Self.levelDeviation),
      exponent: ArrowSystem.Prior(value: 0, deviation: Self.exponentDeviation))
  }

  /// Starts with stored sums. Sums that are not valid, or of transmitters that the plan lacks, are ignored.
  public init(_ learned: LearnedRadio, model: RoomModel, level: Double = unknownLevel) {
    self.init(transmitters: model.transmitters.count, level: level)
    for (identity, numbers) in learned.transmitters {
      guard let index = model.index(of: identity), let sums = ArrowSystem.Sums(numbers, mostWeight: Self.memory / Self.variance) else {
        continue
      }
      system.sums[index] = sums
    }
    seconds = max(0, learned.seconds)
    solve()
  }

  /// Forgets everything.
  public mutating func reset(level: Double = unknownLevel) {
    self = RadioLearner(transmitters: system.sums.count, level: level)
  }

  /// Returns the sums, to be kept.
  public func learned(model: RoomModel) -> LearnedRadio {
    var transmitters: [String: [Double]] = [:]
    for (transmitter, sums) in zip(model.transmitters, system.sums) where sums.weight > 0 {
      transmitters[transmitter.identity] = sums.numbers
    }
    return LearnedRadio(transmitters: transmitters, seconds: seconds)
  }

  /// The standard deviation in dB of the adapter's level.
  ///
  /// The normal equations do not give it, because the positions depend on the level as well. On the gallery walks the error halves within
  /// ten seconds of walking.
  public var levelDeviation: Double {
    let start = initialLevel == Self.unknownLevel ? Self.levelDeviation : Self.calibratedDeviation
    return start * Self.halvingSeconds / (Self.halvingSeconds + Double(seconds))
  }

  /// The offsets that the position uses: none if the level is known.
  ///
  /// The offsets of single transmitters then help only the ranging of these.
  ///
  /// Docs/decisions/0049 has the figures.
  public var positionCorrection: RadioCorrection { initialLevel == Self.unknownLevel ? correction : RadioCorrection(level: initialLevel) }

  /// Adds the packets of one second by this adapter, of which the filter's probabilities already include the likelihood.
  ///
  /// - Returns: whether the offsets changed.
  @discardableResult
  public mutating func learn(_ packets: [RoomPacket], filter: RoomFilter) -> Bool {
    guard !packets.isEmpty else { return false }
    var levels: [Int: (sum: Double, count: Int)] = [:]
    for packet in packets {
      levels[packet.transmitter, default: (0, 0)].sum += packet.rssi
      levels[packet.transmitter]?.count += 1
    }
    for transmitter in levels.keys.sorted() {
      guard let (sum, count) = levels[transmitter] else { continue }
      let expected = filter.expectation(of: transmitter)
      let (a, b) = (-10 * expected.logarithm, sum / Double(count) - expected.level)
      let rest = b - a * correction.exponent - correction.offset(of: transmitter)
      let variance = Self.variance * (1 + rest * rest / (Self.robustDeviation * Self.robustDeviation)) + expected.variance
      let most = Self.memory / Self.variance
      if system.sums[transmitter].weight > most { system.sums[transmitter].scale(by: most / system.sums[transmitter].weight) }
      system.sums[transmitter].add(x: a, y: b, weight: 1 / variance)
    }
    seconds += 1
    guard seconds % Self.period == 0 else { return false }
    solve()
    return true
  }

  private mutating func solve() {
    let solution = system.solution()
    func bounded(_ value: Double, _ most: Double) -> Double { value.isFinite ? max(-most, min(most, value)) : 0 }
    correction = RadioCorrection(
      level: bounded(solution.level, Self.mostLevel), exponent: bounded(solution.exponent, Self.mostExponent),
      offsets: solution.offsets.map { bounded($0, Self.mostOffset) })
  }
}

extension ArrowSystem.Sums {
  fileprivate var numbers: [Double] { [weight, x, xx, y, xy] }

  fileprivate init?(_ numbers: [Double], mostWeight: Double) {
    guard numbers.count == 5, numbers.allSatisfy({ abs($0) <= 1e9 }), numbers[0] > 0,
      numbers[2] * numbers[0] >= 0.999 * numbers[1] * numbers[1]
    else { return nil }
    self.init(weight: numbers[0], x: numbers[1], xx: numbers[2], y: numbers[3], xy: numbers[4])
    if weight > mostWeight { scale(by: mostWeight / weight) }
  }
}

/// Detects that the receiver walks, from its estimated positions.
///
/// A receiver that stands still would teach the offsets of one place's fading: 8 dB within a day in a simulation.
struct WalkingGate: Hashable, Sendable {
  /// The displacement in metres within the last positions that counts as walking.
  private static let displacement = 2.5
  private static let (positions, leastPositions) = (12, 8)
  /// The largest standard deviation in metres of a position to learn from.
  static let mostSpread = 4.0

  private var track: [PlanPoint] = []

  /// Adds the position of another second and returns whether the receiver walks.
  mutating func add(_ point: PlanPoint) -> Bool {
    track.append(point)
    if track.count > Self.positions { track.removeFirst() }
    return track.count >= Self.leastPositions && track.contains { $0.distance(to: point) >= Self.displacement }
  }
}

extension PlanPoint {
  func distance(to other: PlanPoint) -> Double { ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot() }
}

extension RoomFilter {
  /// Returns the mean of the decadic logarithm of the distance, the predicted level in dBm, and its variance in dB².
  ///
  /// The level is the prediction of the plan without any correction.
  func expectation(of transmitter: Int) -> (logarithm: Double, level: Double, variance: Double) {
    let moments = logarithmicMoments(of: transmitter, least: Likelihood.leastLogarithm)
    let factor = Likelihood.slopePerExponent / 10
    let logarithm = moments.first * factor
    let variance = max(0, moments.second - moments.first * moments.first) * factor * factor
    let (power, exponent) =
      survey.map { ($0.powers[transmitter], $0.exponent) } ?? (model.transmitters[transmitter].power, Likelihood.exponent)
    let own = model.places[transmitter].level
    var level = power - 10 * exponent * logarithm
    if model.levels.count > 1 {
      for (index, probability) in levelProbabilities().enumerated() {
        level -= probability * Likelihood.floorAttenuation * Double(abs(index - own))
      }
    }
    if let survey {
      for (slot, tile) in live.enumerated() {
        guard let offset = survey.field(of: transmitter, tile: Int(tile)) else { continue }
        for cell in 0..<RoomGrid.area { level += Double(cells[slot * RoomGrid.area + cell] * survey.fields[offset + cell]) }
      }
    }
    return (logarithm, level, variance * 100 * exponent * exponent)
  }
}
