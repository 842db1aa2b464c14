import IndoorPositioning
import RealModule
import Venues

/// Looks for a place that explains the signals of a beacon at known places clearly better than the planned one.
///
/// The power at 1 m is free within its prior, because it differs from beacon to beacon. Walls can imitate a move, so a place must be better by
/// far. In simulated rooms with fading of 4 and 6 dB, none of 480 beacons at their places is reported, and at 16 places most that were moved
/// by 7.6 m are.
enum PlacementFit {
  /// The signal of the beacon at a place, in dBm.
  struct Sample {
    let point: PlanPoint
    /// The height of the beacon above the receiver in metres.
    let rise: Double
    let level: Double
  }

  /// The minimum number of places that can show a move.
  static let fewest = 8
  /// The variances of a signal at a place, and of a power, in dB², and the least variance that is assumed.
  private static let (variance, powerVariance, leastVariance) = (36.0, 64.0, 16.0)
  private static let (step, reach) = (1.0, 20.0)
  private static let leastDistance = 2.5
  /// The minimum improvement in variances, and the minimum ratio of the errors.
  private static let (leastImprovement, leastRatio) = (18.0, 1.5)

  /// Returns the better place; nil if the planned one is good enough.
  ///
  /// - Parameter power: the expected power in dBm at 1 m.
  static func betterPlace(than planned: PlanPoint, power: Double, _ samples: [Sample]) -> PlanPoint? {
    guard samples.count >= fewest else { return nil }
    func error(_ place: PlanPoint) -> Double {
      var (sum, squares) = (0.0, 0.0)
      for sample in samples {
        let (x, y) = (sample.point.x - place.x, sample.point.y - place.y)
        let rest = sample.level - power + 10 * Double.log10(max(0.25, x * x + y * y + sample.rise * sample.rise))
        sum += rest
        squares += rest * rest
      }
      return squares - sum * sum / (Double(samples.count) + variance / powerVariance)
    }
    var best = (place: planned, error: error(planned))
    let before = best.error
    for row in stride(from: -reach, through: reach, by: step) {
      for column in stride(from: -reach, through: reach, by: step) {
        let place = PlanPoint(x: planned.x + column, y: planned.y + row)
        let error = error(place)
        if error < best.error { best = (place, error) }
      }
    }
    let measured = max(leastVariance, best.error / Double(samples.count - 3))
    guard best.place.distance(to: planned) >= leastDistance, before - best.error >= leastImprovement * measured,
      before >= leastRatio * best.error
    else { return nil }
    return best.place
  }
}
