import Instants

/// The content of a sentence that contributes to a location.
struct NMEAMessage {
  enum Kind: String {
    case rmc = "RMC"
    case gga = "GGA"
    case gns = "GNS"
    case gsa = "GSA"
    case gst = "GST"
    case vtg = "VTG"
  }

  /// The quality of a position.
  enum Quality {
    /// No position, or an invented one.
    /// A receiver that simulates, or that uses manual input, does not know its location.
    case none
    case autonomous
    /// A position with corrections, or with carrier-phase measurements.
    case differential
    /// Dead reckoning with an unknown error.
    case estimated
  }

  let kind: Kind
  /// Microseconds since midnight, UTC.
  var timeOfDay: Int64?
  /// The first instant of the day.
  var day: Instant?
  var quality: Quality?
  var latitude: Double?
  var longitude: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  var geoidSeparation: Double?
  /// Metres per second.
  var speed: Double?
  var course: Double?
  var hdop: Double?
  var vdop: Double?
  var satellitesUsed: Int?
  var dimensions: Int?
  /// The standard deviations along each axis, in metres.
  var latitudeDeviation: Double?
  var longitudeDeviation: Double?
  var altitudeDeviation: Double?

  /// Returns nil for a sentence without data about the position: satellites in view, headings, and unknown sentences.
  ///
  /// The numbers of fields are those of NMEA 0183, version 4.10.
  init?(_ sentence: NMEASentence) throws(NMEAFault) {
    guard let kind = sentence.formatter.flatMap(Kind.init) else { return nil }
    self.kind = kind
    switch kind {
    case .rmc: try readRMC(sentence)
    case .gga: try readGGA(sentence)
    case .gns: try readGNS(sentence)
    case .gsa: try readGSA(sentence)
    case .gst: try readGST(sentence)
    case .vtg: try readVTG(sentence)
    }
    // These sentences must contain the position unless the quality is none.
    if [.rmc, .gga, .gns].contains(kind), quality != Quality.none, latitude == nil || longitude == nil { throw .field }
  }

  private mutating func readRMC(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 9)
    timeOfDay = try sentence.timeOfDay(1)
    try readPosition(sentence, at: 3)
    speed = try sentence.number(7).map { $0 * Self.knot }
    course = try sentence.number(8)
    day = try Self.day(sentence.date(9))
    quality = try sentence.letter(2) == "A" ? Self.quality(mode: sentence.letter(12) ?? "A") : Quality.none
  }

  private mutating func readGGA(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 10)
    timeOfDay = try sentence.timeOfDay(1)
    try readPosition(sentence, at: 2)
    quality =
      switch try sentence.count(6) {
      case 1: .autonomous
      case 2, 3, 4, 5: .differential
      case 6: .estimated
      default: Quality.none
      }
    satellitesUsed = try sentence.count(7)
    hdop = try Self.dilution(sentence.number(8))
    altitude = try sentence.number(9)
    geoidSeparation = try sentence.number(11)
  }

  private mutating func readGNS(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 9)
    timeOfDay = try sentence.timeOfDay(1)
    try readPosition(sentence, at: 2)
    // One letter for each constellation; the best of them determines the quality.
    let modes = (sentence.letters(6) ?? "").map(Self.quality(mode:))
    quality = [.differential, .autonomous, .estimated].first(where: modes.contains) ?? Quality.none
    satellitesUsed = try sentence.count(7)
    hdop = try Self.dilution(sentence.number(8))
    altitude = try sentence.number(9)
    geoidSeparation = try sentence.number(10)
  }

  private mutating func readGSA(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 17)
    dimensions = try sentence.count(2)
    hdop = try Self.dilution(sentence.number(16))
    vdop = try Self.dilution(sentence.number(17))
  }

  private mutating func readGST(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 8)
    timeOfDay = try sentence.timeOfDay(1)
    latitudeDeviation = try sentence.number(6)
    longitudeDeviation = try sentence.number(7)
    altitudeDeviation = try sentence.number(8)
    // Squaring would hide a negative value.
    for deviation in [latitudeDeviation, longitudeDeviation, altitudeDeviation] where deviation.map({ $0 < 0 }) == true { throw .field }
  }

  private mutating func readVTG(_ sentence: NMEASentence) throws(NMEAFault) {
    try sentence.require(fields: 8)
    course = try sentence.number(1)
    speed = try sentence.number(5).map { $0 * Self.knot }
  }

  private mutating func readPosition(_ sentence: NMEASentence, at first: Int) throws(NMEAFault) {
    latitude = try sentence.angle(first, positive: "N", negative: "S")
    longitude = try sentence.angle(first + 2, positive: "E", negative: "W")
    guard (latitude == nil) == (longitude == nil) else { throw .field }
  }

  private static let knot = 1852.0 / 3600

  /// Returns the quality for the mode indicator of RMC, GNS and VTG.
  private static func quality(mode: Character) -> Quality {
    switch mode {
    case "A", "P": .autonomous
    case "D", "R", "F": .differential
    case "E": .estimated
    default: Quality.none
    }
  }

  /// Returns the dilution; receivers write 99.99 for an unknown one.
  private static func dilution(_ value: Double?) throws(NMEAFault) -> Double? {
    guard let value else { return nil }
    guard value >= 0 else { throw .field }
    return value == 0 || value >= 50 ? nil : value
  }

  /// Returns the first instant of a day from 1980, when satellite navigation begins, to 2079.
  private static func day(_ date: (day: String, month: String, year: String)?) throws(NMEAFault) -> Instant? {
    guard let date else { return nil }
    let century = date.year >= "80" ? "19" : "20"
    guard let day = Instant(rfc3339: "\(century)\(date.year)-\(date.month)-\(date.day)T00:00:00Z") else { throw .field }
    return day
  }
}
