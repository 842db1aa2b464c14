import Addresses
import MonitorConfiguration
import Testing

/// The server of addresses in a config.
@Suite struct GeocodingTests {
  private static let fixed = "[location.fixed]\nlatitude = 1\nlongitude = 2\n"

  private func settings(_ text: String) throws -> GeocodingSettings? { try Configuration.parse(text: text, name: "t").geocoding }

  @Test func `no server is asked unless the config names one`() throws {
    #expect(try settings("") == nil)
    #expect(try settings("[geocoding]\nurl = \"https://a.example/nominatim/\"") == GeocodingSettings(url: "https://a.example/nominatim/"))
    #expect(
      try settings("[geocoding]\nurl = \"http://[::1]:8080\"\nlanguage = \"de-AT\"")
        == GeocodingSettings(url: "http://[::1]:8080", language: "de-AT"))
  }

  @Test(arguments: [
    ("", "1: geocoding: missing key \"url\""),
    ("url = \"ftp://a\"", "is not a web address; write one such as \"https://nominatim.example.org\""),
    ("url = \"https://\"", "has no host"), ("url = \"https://u:p@a\"", "contains a user name"), ("url = \"https://a/?q=1\"", "has a query"),
    ("url = \"https://a\"\nlanguage = \"de&zoom=18\"", "is not a language tag"),
    ("url = \"https://a\"\nkey = 1", "unknown key \"key\""),
  ])
  func `an error names the key and a remedy`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try settings("[geocoding]\n" + text) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `a server without a location source, or one that is asked unencrypted, has a warning`() throws {
    func warnings(_ text: String) throws -> [String] {
      try ConfigurationDocument.parse(text: text, name: "t").warnings.map { "\($0)" }
    }
    #expect(
      try warnings("[geocoding]\nurl = \"https://a\"") == [
        "t:1: geocoding: no location source is configured; add one such as [location.gpsd]"
      ])
    #expect(
      try warnings(Self.fixed + "[geocoding]\nurl = \"http://a.example\"") == [
        "t:4: geocoding: url: sends rounded locations of this device unencrypted; use https"
      ])
    for host in ["https://a.example", "http://localhost", "http://127.0.0.1:8080/x", "http://[::1]:80"] {
      #expect(try warnings(Self.fixed + "[geocoding]\nurl = \"\(host)\"") == [])
    }
    #expect(try warnings(Self.fixed + "[geocoding]\nurl = \"http://localhost.example\"").count == 1)
  }
}
