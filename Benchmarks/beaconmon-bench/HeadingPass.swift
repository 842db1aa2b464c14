import Geodesy
import Geomagnetism
import Headings
import Instants
import SensorSimulation

/// Measures one heading update in Core: a sample of each sensor, and the heading that follows.
///
/// The device is calibrated first, and then carried through the field of San Francisco for ten minutes. The refinements of the calibration
/// are part of the time. A value of the magnetic model, which is needed for each new location, is measured on its own.
struct HeadingPass {
  private static let samples = 60_000

  private struct Sample {
    let acceleration: SpaceVector
    let field: SpaceVector
    let time: Instant
  }

  /// Returns a line of JSON about the fastest pass.
  func run(_ passes: Int) -> String {
    var device = SensorSimulator(horizontal: 23.7, down: 41.9, seed: 1)
    var calibrated = HeadingEstimator()
    calibrated.reference = MagneticReference(
      strength: 48.1, inclination: 60.5, declination: 13, declinationUncertainty: 0.4, isBlackout: false)
    guard device.calibrate(&calibrated) != nil else { fail("the simulated device cannot be calibrated", code: 70) }
    device.lay(heading: 90)
    let walk = (0..<Self.samples).map { _ in
      device.walk()
      let (acceleration, field) = device.sample(jolt: 3)
      return Sample(acceleration: acceleration, field: field, time: device.time)
    }
    var (best, headings) = (Double.infinity, 0)
    for _ in 0..<passes {
      var estimator = calibrated
      headings = 0
      let start = processorSeconds()
      for sample in walk {
        estimator.take(rotation: .zero, at: sample.time)
        estimator.take(acceleration: sample.acceleration, at: sample.time)
        if estimator.take(field: sample.field, at: sample.time)?.accuracy != nil { headings += 1 }
      }
      best = min(best, (processorSeconds() - start) / Double(Self.samples))
    }
    return """
      {"peer":"beaconmon-heading","samples":\(Self.samples),"headings":\(headings),"update_us":\(rounded(best * 1e6, 2)),\
      "model_us":\(rounded(model(passes) * 1e6, 2))}
      """
  }

  /// Returns the seconds for one value of the magnetic model.
  private func model(_ passes: Int) -> Double {
    let count = 1000
    var (best, sum) = (Double.infinity, 0.0)
    for _ in 0..<passes {
      let start = processorSeconds()
      for number in 0..<count {
        guard let place = Coordinate(latitude: Double(number % 170) - 85, longitude: Double(number % 359) - 179) else { continue }
        sum += MagneticModel.wmm2025.field(at: place, year: 2026.5)?.strength ?? 0
      }
      best = min(best, (processorSeconds() - start) / Double(count))
    }
    guard sum > 0 else { fail("the magnetic model has no field", code: 70) }
    return best
  }
}
