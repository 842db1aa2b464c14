import RealModule
public import Venues

/// The position error on a level that the places of its beacons permit.
///
/// The Cramér-Rao bound (Kay, Fundamentals of Statistical Signal Processing: Estimation Theory, 3.4) of the positions of the room filter.
/// A beacon at the plane offset (x, y) and the distance d has the level P − 10 n lg d, whose gradient is g = (10 n / ln 10) (x, y) / d².
/// One second of its packets has the information g gᵀ / σ², with n = 2 and σ² = (6 dB)² + (4 dB)² / 1.1. The first term is fading by place
/// and differences between units, the second is fading of single packets, of which the filter counts 1.1 a second. The sum over the beacons
/// is F. Meanwhile the receiver walks, so the covariance in the steady state is P = ((P + Q)⁻¹ + F + F₀)⁻¹, the Riccati equation of a
/// Kalman filter. Q is that of the filter's step, (1.2 m)² on each axis. F₀ = 12 / extent² is the information of the plan, a uniform
/// distribution over the level.
///
/// The prediction is a lower limit: it omits reflections, the people in the room, and that the difference of a unit lasts. Tests compare
/// the prediction with recorded walks, whose errors equal it, and with simulated walks, whose errors are up to twice as large.
public struct PositionErrorMap: Sendable {
  /// A square of the plan whose middle visitors can reach.
  public struct Cell: Hashable, Sendable {
    public var point: PlanPoint
    /// The radius in metres that holds 68 % of the positions; nil where too few beacons are heard for a position.
    public var radius: Double?
  }

  /// The level in dBm from which a beacon counts as heard: adapters lose weaker packets.
  public static let leastLevel = -90.0
  /// The expected level in dBm at 1 m of a beacon whose power was not measured.
  private static let usualPower = -59.0
  private static let mostCells = 10_000.0
  private static let cellSizes = [0.5, 1, 2, 4, 8, 16, 32]
  private static let radiusPerDeviation = RoomAccuracy.radiusPerDeviation
  /// The mean distance in multiples of the same deviation: √(π/2).
  private static let meanPerDeviation = 1.2533

  public let cells: [Cell]
  /// The length in metres of a side of a cell.
  public let cellSize: Double
  private let beacons: [Source]
  private let walls: [VenueWall]
  private let prior: (x: Double, y: Double)

  /// A beacon as seen from the height of a receiver.
  private struct Source {
    var point: PlanPoint
    var rise: Double
    var power: Double
  }

  /// Computes the map of a level. It has no cells if the level has no extent.
  ///
  /// Beacons of other levels do not count, because floors hide most of them.
  public init(_ venue: Venue, _ level: VenueLevel) {
    beacons = venue.beacons.filter { $0.level == level.id }.map {
      Source(
        point: $0.position, rise: ($0.height ?? RoomTransmitter.usualHeight) - RoomModel.receiverHeight, power: $0.power ?? Self.usualPower)
    }
    walls = venue.walls.filter { $0.level == level.id && $0.attenuation > 0 }
    guard let bounds = level.bounds ?? venue.bounds(ofLevel: level.id), bounds.width > 0, bounds.height > 0 else {
      (cells, cellSize, prior) = ([], Self.cellSizes[0], (0, 0))
      return
    }
    let prior = (x: 12 / (bounds.width * bounds.width), y: 12 / (bounds.height * bounds.height))
    let size = Self.cellSizes.first { bounds.width / $0 * bounds.height / $0 <= Self.mostCells } ?? 64
    (self.prior, cellSize) = (prior, size)
    var cells: [Cell] = []
    let (columns, rows) = (max(1, Int((bounds.width / size).rounded(.up))), max(1, Int((bounds.height / size).rounded(.up))))
    for row in 0..<rows {
      for column in 0..<columns {
        let point = PlanPoint(x: bounds.least.x + (Double(column) + 0.5) * size, y: bounds.least.y + (Double(row) + 0.5) * size)
        guard level.isWalkable(point) ?? true else { continue }
        cells.append(Cell(point: point, radius: Self.deviation(at: point, beacons, walls, prior).map { $0 * Self.radiusPerDeviation }))
      }
    }
    self.cells = cells
  }

  /// The mean error in metres over the cells with a position; nil without any.
  public var meanError: Double? {
    let radii = cells.compactMap(\.radius)
    guard !radii.isEmpty else { return nil }
    return radii.reduce(0, +) / Double(radii.count) / Self.radiusPerDeviation * Self.meanPerDeviation
  }

  /// Returns the radius in metres that holds 68 % of the positions at a point; nil without a position.
  public func radius(at point: PlanPoint) -> Double? {
    Self.deviation(at: point, beacons, walls, prior).map { $0 * Self.radiusPerDeviation }
  }

  /// Returns the share of the cells whose radius exceeds a promise in metres, and the worst cell; nil if there is none.
  public func failure(of promise: Double) -> (share: Double, worst: Cell)? {
    let failing = cells.filter { ($0.radius ?? .infinity) > promise }
    guard let worst = failing.max(by: { ($0.radius ?? .infinity) < ($1.radius ?? .infinity) }) else { return nil }
    return (Double(failing.count) / Double(cells.count), worst)
  }

  /// Returns the standard deviation in metres along an axis, the root of the mean of both variances.
  private static func deviation(
    at point: PlanPoint, _ beacons: [Source], _ walls: [VenueWall], _ prior: (x: Double, y: Double)
  ) -> Double? {
    var heard = 0
    var information = (xx: prior.x, xy: 0.0, yy: prior.y)
    let slope = 10 * Likelihood.exponent / Double.log(10)
    let noise = 36 + 16 / Likelihood.budget
    for beacon in beacons {
      let (x, y) = (point.x - beacon.point.x, point.y - beacon.point.y)
      let square = max(0.25, x * x + y * y + beacon.rise * beacon.rise)
      var level = beacon.power - 10 * Likelihood.exponent / 2 * Double.log10(square)
      guard level >= leastLevel else { continue }
      for wall in walls where wall.stands(between: point, and: beacon.point) { level -= wall.attenuation }
      guard level >= leastLevel else { continue }
      heard += 1
      let weight = slope * slope / (square * square * noise)
      information.xx += weight * x * x
      information.xy += weight * x * y
      information.yy += weight * y * y
    }
    guard heard >= IndoorEngine.leastHeard else { return nil }
    // The eigenvectors of the information are those of the covariance, because Q is the same along every axis.
    let mean = (information.xx + information.yy) / 2
    let half = (information.xx - information.yy) / 2
    let spread = (half * half + information.xy * information.xy).squareRoot()
    return ((variance(in: mean + spread) + variance(in: max(1e-9, mean - spread))) / 2).squareRoot()
  }

  /// Returns the solution p of p = 1 / (1 / (p + Q) + information): p² + Q p − Q / information = 0.
  private static func variance(in information: Double) -> Double {
    let step = MotionKernel.step * MotionKernel.step
    return (-step + (step * step + 4 * step / information).squareRoot()) / 2
  }
}
