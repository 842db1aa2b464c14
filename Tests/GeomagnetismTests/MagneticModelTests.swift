import Geodesy
import Geomagnetism
import TestSupport
import Testing

@Suite struct MagneticModelTests {
  /// The rows of a fixture as numbers, without its comments.
  static func rows(_ name: String, separator: (Character) -> Bool) throws -> [[Double]] {
    try Fixture.text(name).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
      .map { $0.split(whereSeparator: separator).compactMap { Double($0) } }.filter { !$0.isEmpty }
  }

  @Test func `the official test values of WMM2025 are met`() throws {
    let rows = try Self.rows("WMM2025_TEST_VALUES.txt", separator: \.isWhitespace)
    #expect(rows.count == 100)
    for row in rows {
      let place = try #require(Coordinate(latitude: row[2], longitude: row[3]))
      let field = try #require(MagneticModel.wmm2025.field(at: place, altitude: row[1] * 1000, year: row[0]))
      #expect(abs(field.declination - row[4]) <= 0.005 + 1e-6, "\(row)")
      #expect(abs(field.inclination - row[5]) <= 0.005 + 1e-6, "\(row)")
      let values = [field.horizontal, field.components.north, field.components.east, field.components.down, field.strength]
      for (value, official) in zip(values, row[6...10]) { #expect(abs(value - official) <= 0.001, "\(row)") }
      let rates = [
        field.declinationRate, field.inclinationRate, field.horizontalRate, field.rates.north, field.rates.east, field.rates.down,
        field.strengthRate,
      ]
      for (rate, official) in zip(rates, row[11...17]) { #expect(abs(rate - official) <= 0.001, "\(row)") }
    }
  }

  @Test func `another implementation finds the same field at 100 random places`() throws {
    let rows = try Self.rows("pygeomag-100.csv", separator: { $0 == "," })
    #expect(rows.count == 100)
    for row in rows {
      let place = try #require(Coordinate(latitude: row[0], longitude: row[1]))
      let field = try #require(MagneticModel.wmm2025.field(at: place, altitude: row[2], year: row[3]))
      #expect(abs(field.components.north - row[4]) <= 0.001, "\(row)")
      #expect(abs(field.components.east - row[5]) <= 0.001, "\(row)")
      #expect(abs(field.components.down - row[6]) <= 0.001, "\(row)")
      #expect(abs(field.declination - row[7]) <= 1e-5, "\(row)")
      #expect(abs(field.inclination - row[8]) <= 1e-5, "\(row)")
    }
  }

  @Test(arguments: [-90, 90] as [Double])
  func `the field is finite at a pole, and continuous around it`(latitude: Double) throws {
    let model = MagneticModel.wmm2025
    let pole = try #require(Coordinate(latitude: latitude, longitude: 30))
    let near = try #require(Coordinate(latitude: latitude * (1 - 1e-9), longitude: 30))
    let field = try #require(model.field(at: pole, year: 2026))
    let neighbour = try #require(model.field(at: near, year: 2026))
    for component in [\GeomagneticField.Components.north, \.east, \.down] {
      #expect(abs(field.components[keyPath: component] - neighbour.components[keyPath: component]) < 0.001)
      #expect(field.rates[keyPath: component].isFinite)
    }
  }

  @Test func `a year or an altitude beyond the model has no field`() throws {
    let model = MagneticModel.wmm2025
    let place = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect(model.field(at: place, year: .nan) == nil)
    #expect(model.field(at: place, year: .infinity) == nil)
    #expect(model.field(at: place, altitude: .nan, year: 2026) == nil)
    #expect(model.field(at: place, altitude: 1e6, year: 2026) == nil)
    #expect(model.field(at: place, year: 2026) != nil)
    #expect(model.validity.contains(2029.99))
    #expect(!model.validity.contains(2030))
    #expect(!model.validity.contains(2024.99))
  }

  @Test func `zones follow the strength of the horizontal field`() throws {
    func field(_ latitude: Double, _ longitude: Double) throws -> GeomagneticField {
      let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
      return try #require(MagneticModel.wmm2025.field(at: place, year: 2026))
    }
    #expect(try field(48, 11).zone == .reliable)
    #expect(try field(74, -120).zone == .caution)
    #expect(try field(86, 140).zone == .blackout)
    #expect(try field(-64, 136).zone == .blackout)
    // By the formula of the report, with the horizontal field of Munich: 21.08 µT.
    let munich = try field(48.14, 11.58)
    #expect(abs(munich.declinationUncertainty - 0.3656) < 0.0005)
    #expect(try field(86, 140).declinationUncertainty > 3)
  }

  /// A time, and the year with the days of the year that have passed and its length.
  static let dates: [(Double, Double, Double, Double)] = [
    (0, 1970, 0, 365), (951_782_400, 2000, 59, 366), (1_767_225_600, 2026, 0, 365), (1_782_864_000, 2026, 181, 365),
    (-86_400, 1969, 364, 365), (1_735_603_200, 2024, 365, 366),
  ]

  @Test(arguments: dates)
  func `a decimal year counts the days of its year`(unixTime: Double, wholeYear: Double, days: Double, length: Double) throws {
    let year = wholeYear + days / length
    #expect(abs(try #require(DecimalYear.at(unixTime: unixTime)) - year) < 1e-9)
  }

  @Test func `a time beyond the calendar has no year`() {
    #expect(DecimalYear.at(unixTime: .nan) == nil)
    #expect(DecimalYear.at(unixTime: 1e300) == nil)
    #expect(DecimalYear.at(unixTime: -1e300) == nil)
  }

  @Test func `the table of coefficients is that of the published file`() throws {
    let published = try Fixture.text("WMM2025.COF").split(whereSeparator: \.isNewline).dropFirst().prefix { !$0.hasPrefix("9999") }
      .map { $0.split(whereSeparator: \.isWhitespace) }
    let table = try Fixture.text("../../Sources/Core/Geomagnetism/MagneticModel+WMM2025.swift").split(whereSeparator: \.isNewline)
      .filter { $0.contains("MagneticCoefficient(") }
    #expect(published.count == 90)
    #expect(
      table.map(String.init)
        == published.map { "      MagneticCoefficient(\($0[2...].joined(separator: ", "))),  // \($0[0]) \($0[1])" })
  }
}
