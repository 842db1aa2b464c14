public import Beacons

/// The measured or learned values of a calibration that a config can have.
public struct CalibrationOffsets: Hashable, Sendable {
  /// The path-loss exponent; nil if it was not determined.
  public var exponent: Double?
  /// dB by the number of the adapter.
  public var adapters: [UInt16: Double]
  /// dB of each beacon.
  public var beacons: [BeaconIdentity: Double]

  public init(exponent: Double? = nil, adapters: [UInt16: Double] = [:], beacons: [BeaconIdentity: Double] = [:]) {
    (self.exponent, self.adapters, self.beacons) = (exponent, adapters, beacons)
  }

  public var isEmpty: Bool { exponent == nil && adapters.isEmpty && beacons.isEmpty }
}

extension SignalCalibration {
  /// The values without their deviations.
  public var offsets: CalibrationOffsets {
    CalibrationOffsets(
      exponent: exponent?.value, adapters: adapters.mapValues(\.value),
      beacons: Dictionary(beacons.map { ($0.identity, $0.offset.value) }) { first, _ in first })
  }
}
