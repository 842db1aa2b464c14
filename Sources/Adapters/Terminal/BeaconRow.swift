import Beacons
import Instants
import Ranging
import Records

/// A beacon of a snapshot as texts.
struct BeaconRow {
  let major: String
  let minor: String
  /// The name of the place that the beacon stands for.
  let place: String?
  let proximity: BeaconProximity
  /// The distance in metres.
  let distance: String?
  /// The accuracy in metres.
  let accuracy: String?
  /// Distance and accuracy in metres, with the digits that the accuracy supports.
  let measured: (value: String, accuracy: String?)?
  /// The RSSI in dBm.
  let rssi: String?
  /// Advertisements per second.
  let rate: String?
  /// Seconds since the last sighting, at the snapshot's time.
  let age: String?

  init(_ beacon: BeaconReport, at time: Instant) {
    major = beacon.major.map { String($0) } ?? "?"
    minor = beacon.minor.map { String($0) } ?? "?"
    place = beacon.place?.printable
    proximity = beacon.proximity ?? .unknown
    distance = beacon.distance.map(Self.metres)
    accuracy = beacon.accuracy.map(Self.metres)
    measured = beacon.distance.map { metres in
      let measured = MeasurementText(metres, accuracy: beacon.accuracy)
      return (metres < 9999.5 ? measured.value : ">9999", measured.accuracy)
    }
    rssi = beacon.rssi.flatMap { Decimal.text($0, decimals: 1) }
    rate = beacon.rate.flatMap { Decimal.text($0, decimals: 1) }
    age = beacon.lastSeen.flatMap { Decimal.text(Swift.max(0, (time - $0).seconds), decimals: 1) }
  }

  /// Returns metres with as many decimals as fit into five characters, at most two.
  private static func metres(_ value: Double) -> String {
    let decimals = value < 99.995 ? 2 : value < 999.95 ? 1 : 0
    return value < 9999.5 ? Decimal.text(value, decimals: decimals) ?? "?" : ">9999"
  }
}
