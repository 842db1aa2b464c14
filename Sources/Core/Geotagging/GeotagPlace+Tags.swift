import Geodesy
import Instants

/// A tag of a photo in the notation of Exiv2.
public struct PhotoTag: Hashable, Sendable {
  /// The name, such as `Exif.GPSInfo.GPSLatitude`.
  public var key: String
  /// The text of the value; nil removes the tag.
  public var value: String?

  public init(_ key: String, _ value: String?) {
    (self.key, self.value) = (key, value)
  }
}

extension GeotagPlace {
  /// The tags of EXIF 2.32, section 4.6.6, that state this place and its time.
  /// Those that this place does not have are removed, because they would belong to an earlier place. Other tags of the photo stay.
  public var tags: [PhotoTag] {
    // The tag states its character set; readers know ASCII best.
    let area: String? = floor.map { "charset=\($0.utf8.allSatisfy { $0 < 0x80 } ? "Ascii" : "Unicode") \($0)" }
    // The greatest value of the tag is 359.99.
    let degrees: String? = direction.map { "\(Int(($0.degrees * 100).rounded()) % 36_000)/100" }
    let height: String? = altitude.map { Self.rational($0.magnitude, 100) }
    let heightReference: String? = altitude.map { $0 < 0 ? "1" : "0" }
    return [
      gps("VersionID", "2 3 0 0"), gps("MapDatum", "WGS-84"),
      gps("LatitudeRef", coordinate.latitude < 0 ? "S" : "N"), gps("Latitude", Self.sexagesimal(coordinate.latitude)),
      gps("LongitudeRef", coordinate.longitude < 0 ? "W" : "E"), gps("Longitude", Self.sexagesimal(coordinate.longitude)),
      gps("HPositioningError", accuracy.map { Self.rational(max($0, 0.01), 100) }),
      gps("DateStamp", String(time.rfc3339.prefix(10).map { $0 == "-" ? ":" : $0 })), gps("TimeStamp", timeOfDay),
      gps("AltitudeRef", heightReference), gps("Altitude", height), gps("AreaInformation", area),
      gps("ImgDirectionRef", direction?.reference.rawValue), gps("ImgDirection", degrees),
    ]
  }

  private func gps(_ name: String, _ value: String?) -> PhotoTag { PhotoTag("Exif.GPSInfo.GPS\(name)", value) }

  /// Hours, minutes and seconds in UTC as rationals.
  private var timeOfDay: String {
    let text = time.rfc3339
    let parts = text.dropFirst(11).prefix(8).split(separator: ":").map { Int($0) ?? 0 }
    let millis = Int(text.dropFirst(20).prefix(3)) ?? 0
    return "\(parts[0])/1 \(parts[1])/1 \(parts[2] * 1000 + millis)/1000"
  }

  private static func rational(_ value: Double, _ denominator: Int) -> String {
    "\(Int((value * Double(denominator)).rounded()))/\(denominator)"
  }

  /// Returns degrees, minutes and seconds as rationals, to 0.0001 seconds of arc, which are 3 mm.
  private static func sexagesimal(_ degrees: Double) -> String {
    let units = Int((degrees.magnitude * 36_000_000).rounded())
    return "\(units / 36_000_000)/1 \(units / 600_000 % 60)/1 \(units % 600_000)/10000"
  }
}
