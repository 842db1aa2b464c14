import RealModule
import Venues

/// The evidence about the place of one transmitter, stored over restarts.
public struct PlacementEvidence: Hashable, Sendable {
  /// The identity of the transmitter.
  public var transmitter: String
  /// The planned place and power, as text. Evidence about another plan is ignored.
  public var plan: String
  /// The seconds of walking in which the transmitter was heard.
  public var seconds: Int
  /// Two sums for each candidate of a place.
  public var sums: [Double]

  public init(transmitter: String, plan: String, seconds: Int, sums: [Double]) {
    (self.transmitter, self.plan, self.seconds, self.sums) = (transmitter, plan, seconds, sums)
  }
}

/// Looks for transmitters that seem not to hang where the plan says, while the receiver walks.
///
/// The errors of the level are summed for places around the planned one. A place far away that explains the levels clearly better is a
/// hint, and never a correction: walls cause the same. In a simulated room, 15 minutes find a third of the transmitters that were moved by
/// 5 m, without a false hint.
public struct PlacementCheck: Sendable {
  /// The distance in metres between candidates, and the largest one from the planned place.
  private static let (spacing, reach) = (3.0, 12.0)
  /// The seconds of walking in which a transmitter is heard before the check reports it.
  static let leastSeconds = 900
  /// The seconds after which older evidence fades, so that a transmitter that is moved later is found as well.
  static let mostSeconds = 2 * leastSeconds
  /// The minimum ratio of the errors at the planned and at the best place.
  private static let leastRatio = 1.12
  private static let leastDistance = 2.5
  /// The variance of a level, and that of the transmitter's power, in dB².
  private static let (variance, powerVariance) = (36.0, 25.0)
  private static let shortest = 0.5

  /// The offsets of candidates from the planned place, which is the first.
  private static let offsets: [PlanPoint] = {
    let steps = Int(reach / spacing)
    var offsets = [PlanPoint(x: 0, y: 0)]
    for row in -steps...steps {
      for column in -steps...steps where (row, column) != (0, 0) {
        let offset = PlanPoint(x: spacing * Double(column), y: spacing * Double(row))
        if offset.distance(to: offsets[0]) <= reach { offsets.append(offset) }
      }
    }
    return offsets
  }()

  private struct Sums {
    var seconds = 0
    var errors = [Double](repeating: 0, count: PlacementCheck.offsets.count)
    var squares = [Double](repeating: 0, count: PlacementCheck.offsets.count)

    init() {}

    /// Fails for evidence that is not valid.
    init?(_ evidence: PlacementEvidence) {
      let count = PlacementCheck.offsets.count
      guard evidence.sums.count == 2 * count, evidence.sums.allSatisfy(\.isFinite),
        (1...PlacementCheck.mostSeconds).contains(evidence.seconds), evidence.sums.suffix(count).allSatisfy({ $0 >= 0 })
      else { return nil }
      (seconds, errors, squares) = (evidence.seconds, Array(evidence.sums.prefix(count)), Array(evidence.sums.suffix(count)))
    }

    mutating func halve() {
      seconds /= 2
      for index in errors.indices { (errors[index], squares[index]) = (errors[index] / 2, squares[index] / 2) }
    }
  }

  private var sums: [Int: Sums] = [:]

  public init() {}

  /// Starts with stored evidence. Evidence that is not valid, or about another plan, is ignored.
  init(_ evidence: [PlacementEvidence], model: RoomModel) {
    add(evidence, model: model)
  }

  /// Adds stored evidence about a transmitter where it is from more seconds than the present evidence.
  ///
  /// Evidence that is not valid, or about another plan, is ignored.
  mutating func add(_ evidence: [PlacementEvidence], model: RoomModel) {
    for entry in evidence {
      guard let index = model.index(of: entry.transmitter), model.plan(of: index) == entry.plan, let stored = Sums(entry),
        stored.seconds > sums[index]?.seconds ?? 0
      else { continue }
      sums[index] = stored
    }
  }

  /// Returns the evidence, for storage.
  func evidence(model: RoomModel) -> [PlacementEvidence] {
    sums.sorted { $0.key < $1.key }.map { index, sums in
      PlacementEvidence(
        transmitter: model.transmitters[index].identity, plan: model.plan(of: index), seconds: sums.seconds,
        sums: sums.errors + sums.squares)
    }
  }

  /// Forgets the evidence about a transmitter.
  mutating func forget(_ transmitter: Int) { sums[transmitter] = nil }

  /// Adds the mean level in dBm of a transmitter in one second.
  ///
  /// - Parameters:
  ///   - place: the planned place.
  ///   - height: the height in metres of the transmitter above the receiver.
  ///   - power: the expected level at 1 m, with the level of the adapter.
  ///   - exponent: the path-loss exponent.
  ///   - point: the position of the receiver.
  public mutating func add(
    _ level: Double, of transmitter: Int, at place: PlanPoint, height: Double, power: Double, exponent: Double, from point: PlanPoint
  ) {
    var sums = self.sums.removeValue(forKey: transmitter) ?? Sums()
    if sums.seconds >= Self.mostSeconds { sums.halve() }
    sums.seconds += 1
    for (index, offset) in Self.offsets.enumerated() {
      let (x, y) = (place.x + offset.x - point.x, place.y + offset.y - point.y)
      let square = max(Self.shortest * Self.shortest, x * x + y * y + height * height)
      let error = level - power + 5 * exponent * Double.log10(square)
      sums.errors[index] += error
      sums.squares[index] += error * error
    }
    self.sums[transmitter] = sums
  }

  /// The transmitters that seem to hang elsewhere, and the distance in metres of the best place from the planned one.
  public var misplaced: [(transmitter: Int, metres: Double)] {
    sums.filter { $0.value.seconds >= Self.leastSeconds }.sorted { $0.key < $1.key }.compactMap { transmitter, sums in
      let count = Double(sums.seconds)
      // The power of the transmitter is unknown within its prior.
      let errors = sums.errors.indices.map { index in
        sums.squares[index] - sums.errors[index] * sums.errors[index] / (count + Self.variance / Self.powerVariance)
      }
      guard let best = errors.indices.min(by: { errors[$0] < errors[$1] }), errors[best] > 0 else { return nil }
      let metres = Self.offsets[best].distance(to: Self.offsets[0])
      let isClear = errors[0] > Self.leastRatio * Self.leastRatio * errors[best]
      return isClear && metres > Self.leastDistance ? (transmitter, metres) : nil
    }
  }
}
