import Beacons
import RealModule

extension SignalCalibration {
  /// The distances in metres of a standing calibration, in the order in which they are worth a measurement.
  private static let usefulDistances = [1.0, 4, 2, 8, 16]
  /// Distances that differ by less than this factor are nearly the same.
  private static let ratio = 1.35

  /// Returns the distance at which the next measurement reduces the uncertainty most; nil if more of them reduce it little.
  ///
  /// - Parameters:
  ///   - measured: The distances so far.
  ///   - calibration: The result of the measurements so far; nil without one.
  public static func nextDistance(after measured: [Double], _ calibration: SignalCalibration?) -> Double? {
    let isSufficient = calibration?.exponent.map { $0.deviation <= sufficientDeviation } ?? false
    guard !isSufficient else { return nil }
    return usefulDistances.first { useful in
      measured.allSatisfy { max(useful, $0) / max(min(useful, $0), 0.01) >= ratio }
    }
  }

  /// Returns the distances that several captures have of one beacon.
  public static func repetitions(in captures: [[SignalSample]]) -> [Shortage] {
    struct Place: Hashable {
      var beacon: BeaconIdentity
      var distance: Double
    }
    let places = captures.flatMap { Set($0.map { Place(beacon: $0.beacon, distance: $0.distance) }) }
    return Dictionary(grouping: places) { $0 }.filter { $0.value.count > 1 }
      .map { ($0.key.beacon, $0.key.distance, $0.value.count) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map { .repeated($0, $1, $2) }
  }

  /// The deviation of an exponent below which further distances change little: 0.25 changes the distance at 8 m by a quarter.
  private static let sufficientDeviation = 0.25
}
