import Instants
import Records

/// A beacon of a snapshot as texts, taken from its record.
struct BeaconRow {
  let major: String
  let minor: String
  let proximity: String
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

  init(_ record: Record, at time: Instant) {
    major = record["major"]?.plainText ?? "?"
    minor = record["minor"]?.plainText ?? "?"
    proximity = (record["proximity"]?.text ?? "unknown").printable
    distance = record["distance"]?.quantity.map(Self.metres)
    accuracy = record["accuracy"]?.quantity.map(Self.metres)
    measured = record["distance"]?.quantity.map { metres in
      let measured = Measured(metres, accuracy: record["accuracy"]?.quantity)
      return (metres < 9999.5 ? measured.value : ">9999", measured.accuracy)
    }
    rssi = record["rssi"]?.quantity.flatMap { Decimal.text($0, decimals: 1) }
    rate = record["rate"]?.quantity.flatMap { Decimal.text($0, decimals: 1) }
    age = record["lastSeen"]?.time.flatMap { Decimal.text(Swift.max(0, (time - $0).seconds), decimals: 1) }
  }

  /// Returns metres with as many decimals as fit into five characters, at most two.
  private static func metres(_ value: Double) -> String {
    let decimals = value < 99.995 ? 2 : value < 999.95 ? 1 : 0
    return value < 9999.5 ? Decimal.text(value, decimals: decimals) ?? "?" : ">9999"
  }
}
