import Addresses
import Geodesy
import Testing

/// The requests that leave the device to learn an address.
@Suite struct AddressQueryTests {
  private func query(_ latitude: Double, _ longitude: Double, accuracy: Double? = 5, wanted: Double = 0, language: String? = nil) throws
    -> AddressQuery
  {
    AddressQuery(
      try #require(Coordinate(latitude: latitude, longitude: longitude)), accuracy: accuracy, wanted: wanted, language: language)
  }

  @Test func `a location is rounded to four decimals at most, and to fewer if it or the request is coarse`() throws {
    #expect(try query(48.1374312, 11.5754987).path.contains("lat=48.1374&lon=11.5755&zoom=18"))
    #expect(try query(48.1374312, 11.5754987, accuracy: 31).path.contains("lat=48.137&lon=11.575&zoom=16"))
    #expect(try query(48.1374312, 11.5754987, wanted: 100).path.contains("lat=48.137&lon=11.575&zoom=16"))
    #expect(try query(48.1374312, 11.5754987, wanted: 1000).path.contains("lat=48.14&lon=11.58&zoom=10"))
    #expect(try query(48.1374312, 11.5754987, accuracy: 500).path.contains("lat=48.14&lon=11.58&zoom=10"))
    #expect(try query(48.1374312, 11.5754987, accuracy: nil).path.contains("lat=48.14&lon=11.58&zoom=10"))
  }

  @Test func `locations of one cell ask the same question, and those of different precision or language do not`() throws {
    #expect(try query(48.13741, 11.5) == query(48.13739, 11.5))
    #expect(try query(48.13741, 11.5).key == query(48.13739, 11.5).key)
    #expect(try query(48.1, 11.5).key != query(48.1, 11.5, wanted: 100).key)
    #expect(try query(48.1, 11.5, language: "de").key != query(48.1, 11.5, language: "en").key)
  }

  @Test(arguments: [
    (-0.00004, 0.00004, "lat=0.0000&lon=0.0000"), (-0.00006, -0.5, "lat=-0.0001&lon=-0.5000"),
    (-33.8688, 151.2093, "lat=-33.8688&lon=151.2093"),
    (89.99999, -179.99999, "lat=90.0000&lon=180.0000"), (-90, 180, "lat=-90.0000&lon=180.0000"),
  ])
  func `degrees are written with their sign and all decimals`(latitude: Double, longitude: Double, text: String) throws {
    #expect(try query(latitude, longitude).path.contains(text))
  }

  @Test(arguments: ["de-AT", "en", "zh-Hant-TW"]) func `a query requests the language of the client`(tag: String) throws {
    #expect(try query(1, 1, language: tag).path.hasSuffix("&accept-language=\(tag)"))
  }

  @Test(arguments: ["", "d", "de&zoom=18", "de\r\nX: y", "ü", "en US", String(repeating: "x", count: 36)])
  func `a language that is not a tag never reaches the server`(tag: String) throws {
    #expect(try query(1, 1, language: tag) == query(1, 1))
  }
}
