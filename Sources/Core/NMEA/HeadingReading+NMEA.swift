import Locations

extension HeadingReading {
  /// Returns nil for a line that is not a sentence of a compass.
  /// Throws if such a sentence is damaged.
  ///
  /// - Parameter line: without the line end.
  public init?(nmea line: [UInt8]) throws(NMEAFault) {
    // The address is a talker of two letters and the formatter. Most sentences are others, and need not be parsed.
    guard line.count > 6, line[0] == UInt8(ascii: "$"), line[3] == UInt8(ascii: "H"), line[4] == UInt8(ascii: "D") else { return nil }
    guard let reading = try HeadingReading(NMEASentence(line)) else { return nil }
    self = reading
  }

  /// Returns nil for sentences of other types, and for sentences without a heading.
  /// The numbers of fields are those of NMEA 0183, version 4.10.
  init?(_ sentence: NMEASentence) throws(NMEAFault) {
    let reading: HeadingReading?
    switch sentence.formatter {
    case "HDT":
      guard let heading = try sentence.number(1) else { return nil }
      reading = HeadingReading(trueHeading: heading)
    case "HDM":
      guard let heading = try sentence.number(1) else { return nil }
      reading = HeadingReading(magneticHeading: heading)
    case "HDG":
      guard let sensor = try sentence.number(1) else { return nil }
      // The effect of the vehicle's iron on the sensor.
      let deviation = try sentence.east(2) ?? 0
      guard (0...360).contains(sensor), (-180...180).contains(deviation) else { throw .field }
      let heading = (sensor + deviation + 360).truncatingRemainder(dividingBy: 360)
      reading = HeadingReading(magneticHeading: heading, variation: try sentence.east(4))
    default: return nil
    }
    guard let reading else { throw .field }
    self = reading
  }
}

extension NMEASentence {
  /// Parses `7.1,W` as degrees that are positive to the east.
  fileprivate func east(_ first: Int) throws(NMEAFault) -> Double? {
    guard let degrees = try number(first) else { return nil }
    switch try letter(first + 1) {
    case "E": return degrees
    case "W": return -degrees
    default: throw .field
    }
  }
}
