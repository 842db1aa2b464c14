import Geomagnetism
import Headings
import Instants
import Locations

/// The field of the earth at a location.
struct MagneticPlace {
  let reference: MagneticReference?
  /// The problem of the magnetic model; nil if there is none.
  let note: String?
  private let time: Instant

  /// The time after which a vehicle without a fix may be where the declination differs.
  private static let lifetime = Span.seconds(3600)
  /// The error in degrees that each year after the end of the model adds. Source: WMM2025 report, section 3.3.
  private static let yearlyError = 0.5

  init(_ location: Location, unixTime: Double, at now: Instant) {
    time = now
    let model = MagneticModel.wmm2025
    // A clock before the time of the model is not set.
    let year = max(DecimalYear.at(unixTime: unixTime) ?? model.epoch, model.epoch)
    let late = max(0, year - model.validity.upperBound)
    let altitude = min(max(location.ellipsoidalAltitude ?? location.altitude ?? 0, -1000), 100_000)
    note = late > 0 ? "\(model.name) was valid until \(Int(model.validity.upperBound)); update beaconmon" : nil
    reference = model.field(at: location.coordinate, altitude: altitude, year: min(year, model.validity.upperBound + 10)).map {
      MagneticReference(
        strength: $0.strength / 1000, inclination: $0.inclination, declination: $0.declination,
        declinationUncertainty: min(180, $0.declinationUncertainty + late * Self.yearlyError), isBlackout: $0.zone == .blackout)
    }
  }

  func isOld(at now: Instant) -> Bool { now - time > Self.lifetime }
}
