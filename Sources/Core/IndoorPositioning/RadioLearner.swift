import RealModule
import Venues

/// Learns the offsets of one adapter at one venue from the filter's own positions, while the receiver walks.
///
/// Least squares with priors: an offset for each transmitter, a common level and the path-loss exponent. Each second with a packet of a
/// transmitter is one row, whose weight falls with the deviation and with the variance of the distance.
public struct RadioLearner: Hashable, Sendable {
  /// The level in dB at which an unknown adapter starts.
  ///
  /// A start that is too low recovers. A start 6 dB too high moves all positions to the walls, and their likelihood does not show it.
  public static let unknownLevel = -5.0
  /// The seconds of walking after which the offsets help the ranging of single beacons.
  /// After ten seconds the level still causes gross enters on the gallery walks.
  public static let secondsForRanging = 20

  private static let offsetDeviation = 3.5
  private static let levelDeviation = 4.0
  /// The levels in dB that are learned of an adapter whose declared level is right.
  ///
  /// A wrong level shifts the positions as well, so only half of the error is learned. These bounds are halfway between the levels learned
  /// of a right adapter (1.2 to 3.1 dB) and those of one that is 6 dB too weak or too strong. See Docs/decisions/0067.
  private static let plausibleLevels = -0.3...3.7
  /// The levels that speak for the declared level even while the loudest transmitter seems far away.
  private static let certainLevels = 0.7...2.9
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
  /// The seconds of walking from which something was learned.
  public private(set) var seconds = 0
  /// Whether the configuration declares the level of the adapter.
  public let isCalibrated: Bool
  /// Whether the declared level did not fit the venue, so that the adapter counts as unknown.
  public private(set) var isDistrusted: Bool
  private var system: ArrowSystem

  /// Whether the declared level is used.
  var isTrusted: Bool { isCalibrated && !isDistrusted }

  /// Starts without knowledge.
  ///
  /// - Parameters:
  ///   - isCalibrated: whether the configuration declares the level of the adapter.
  ///   - isDistrusted: whether the declared level is known not to fit.
  public init(transmitters: Int, isCalibrated: Bool = false, isDistrusted: Bool = false) {
    self.isCalibrated = isCalibrated
    self.isDistrusted = isCalibrated && isDistrusted
    let level = isCalibrated && !isDistrusted ? 0 : Self.unknownLevel
    correction = RadioCorrection(level: level, offsets: [Double](repeating: 0, count: transmitters))
    system = ArrowSystem(
      sums: Array(repeating: ArrowSystem.Sums(), count: transmitters),
      offset: ArrowSystem.Prior(value: 0, deviation: Self.offsetDeviation),
      level: ArrowSystem.Prior(value: level, deviation: Self.levelDeviation),
      exponent: ArrowSystem.Prior(value: 0, deviation: Self.exponentDeviation))
  }

  /// Starts with stored sums. Sums that are not valid, or of transmitters that the plan lacks or has elsewhere, are ignored.
  public init(_ learned: LearnedRadio, model: RoomModel, isCalibrated: Bool = false) {
    self.init(transmitters: model.transmitters.count, isCalibrated: isCalibrated, isDistrusted: learned.isDistrusted)
    for (identity, transmitter) in learned.transmitters {
      guard let index = model.index(of: identity), transmitter.plan == model.plan(of: index),
        let sums = ArrowSystem.Sums(transmitter.sums, mostWeight: Self.memory / Self.variance)
      else { continue }
      system.sums[index] = sums
    }
    seconds = max(0, min(learned.seconds, secondsOfSums))
    solve()
  }

  /// The maximum number of seconds from which the sums can come.
  ///
  /// Most rows count at least half, and a position needs four transmitters.
  private var secondsOfSums: Int {
    let weights = system.sums.map(\.weight).sorted(by: >)
    guard weights.count >= IndoorEngine.leastHeard else { return 0 }
    return Int(2 * Self.variance * weights[IndoorEngine.leastHeard - 1])
  }

  /// Forgets everything.
  public mutating func reset(isCalibrated: Bool = false) {
    self = RadioLearner(transmitters: system.sums.count, isCalibrated: isCalibrated)
  }

  /// Forgets what was learned about one transmitter.
  mutating func forget(_ transmitter: Int) {
    system.sums[transmitter] = ArrowSystem.Sums()
    seconds = min(seconds, secondsOfSums)
    solve()
  }

  /// Whether the learned level does not confirm the declared level.
  var isDoubtful: Bool { isTrusted && seconds >= Self.period && !Self.certainLevels.contains(correction.level) }

  /// Forgets everything, and no longer trusts the declared level.
  ///
  /// The sums come from positions that the wrong level made, and would keep it wrong.
  mutating func distrust() {
    let isStronger = correction.level > Self.certainLevels.upperBound
    self = RadioLearner(transmitters: system.sums.count, isCalibrated: isCalibrated, isDistrusted: true)
    // A receiver that is stronger than declared is even farther from the low start of an unknown one.
    if isStronger { correction.level = 0 }
  }

  /// Returns the sums, for storage.
  public func learned(model: RoomModel) -> LearnedRadio {
    var transmitters: [String: LearnedRadio.Transmitter] = [:]
    for (index, sums) in system.sums.enumerated() where sums.weight > 0 {
      transmitters[model.transmitters[index].identity] = LearnedRadio.Transmitter(plan: model.plan(of: index), sums: sums.numbers)
    }
    return LearnedRadio(transmitters: transmitters, seconds: seconds, isDistrusted: isDistrusted)
  }

  /// The standard deviation in dB of the adapter's level.
  ///
  /// The normal equations do not give it, because the positions depend on the level as well. On the gallery walks the error halves within
  /// ten seconds of walking.
  public var levelDeviation: Double {
    let start = isTrusted ? Self.calibratedDeviation : Self.levelDeviation
    return start * Self.halvingSeconds / (Self.halvingSeconds + Double(seconds))
  }

  /// The offsets that the position uses: none if the level is known.
  ///
  /// The offsets of single transmitters then help only the ranging of these.
  ///
  /// Docs/decisions/0049 has the figures.
  public var positionCorrection: RadioCorrection { isTrusted ? RadioCorrection() : correction }

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

  /// The variances in dB² of the offsets of the transmitters that were heard, according to the rows.
  var offsetVariances: [Int: Double] {
    Dictionary(
      uniqueKeysWithValues: system.sums.enumerated().filter { $1.weight > 0 }.map { ($0, 1 / ($1.weight + system.offset.weight)) })
  }

  private mutating func solve() {
    let solution = system.solution()
    func bounded(_ value: Double, _ most: Double) -> Double { value.isFinite ? max(-most, min(most, value)) : 0 }
    correction = RadioCorrection(
      level: bounded(solution.level, Self.mostLevel), exponent: bounded(solution.exponent, Self.mostExponent),
      offsets: solution.offsets.map { bounded($0, Self.mostOffset) })
    if isTrusted, seconds >= Self.secondsForRanging, !Self.plausibleLevels.contains(correction.level) { distrust() }
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
