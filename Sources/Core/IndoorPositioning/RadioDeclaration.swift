import RealModule

/// The changes of configured offsets that would declare what an adapter has learned at a venue.
public struct RadioDeclaration: Hashable, Sendable {
  /// A change in dB with its standard deviation.
  public struct Change: Hashable, Sendable {
    public let value: Double
    public let deviation: Double
  }

  /// The change of the adapter's offset.
  public let level: Change
  /// The changes of the offsets of the transmitters that the adapter has heard, by their numbers in the model.
  public let offsets: [Int: Change]
  /// The seconds of walking that are still required; 0 if what was learned is certain.
  public let missingSeconds: Int
}

extension RadioLearner {
  /// The level in dB that is learned of an adapter whose declared level is right.
  ///
  /// This is the middle of `plausibleLevels`: rooms attenuate more than free space, and the mean logarithm gives too long a distance.
  private static let rightLevel = 1.7
  /// The deviation in dB of a level after a long walk, by that of rooms.
  private static let roomDeviation = 1.0
  /// The seconds after which a learned level is halfway from `unknownLevel` to the true level.
  ///
  /// On the gallery walks, with adapters from -8 to +8 dB, the remaining difference is below this hyperbola.
  private static let halfway = 60.0
  /// The largest deviation in dB of a level that can be declared: a venue refutes one that is wrong by 4 dB.
  private static let mostLevelDeviation = 2.0
  /// The minimum number of seconds of walking, after which the positions no longer depend on the beginning of the walk.
  private static let fewestSeconds = 120
  /// The deviation in dB of an offset after a long walk.
  ///
  /// On the gallery walks, learned offsets differ by this much from those of true positions.
  private static let offsetFloor = 1.0

  /// The changes of the configured offsets that would declare what was learned.
  public var declaration: RadioDeclaration {
    let way = abs(correction.level - (isTrusted ? 0 : Self.unknownLevel))
    let rest = way * Self.halfway / (Self.halfway + Double(seconds))
    let mostRest = (Self.mostLevelDeviation * Self.mostLevelDeviation - Self.roomDeviation * Self.roomDeviation).squareRoot()
    let needed = max(Double(Self.fewestSeconds), (Self.halfway * (way / mostRest - 1)).rounded(.up))
    let deviation = (rest * rest + Self.roomDeviation * Self.roomDeviation).squareRoot()
    return RadioDeclaration(
      level: .init(value: Self.rightLevel - correction.level, deviation: deviation),
      offsets: offsetVariances.mapValues { $0 + Self.offsetFloor * Self.offsetFloor }.reduce(into: [:]) {
        $0[$1.key] = .init(value: -correction.offsets[$1.key], deviation: $1.value.squareRoot())
      },
      missingSeconds: max(0, Int(needed) - seconds))
  }
}
