import Beacons
import MonitorConfiguration
import Testing

/// The capabilities that a config requires.
@Suite struct RequiredCapabilityTests {
  @Test func `a config requires the capabilities that it lists, each once`() throws {
    #expect(try Configuration.parse(text: "", name: "t").required == [])
    let text = "require = [\"venue\", \"magnetometer\", \"venue\"]"
    #expect(try Configuration.parse(text: text, name: "t").required == [.magnetometer, .venue])
  }

  @Test(arguments: [
    ("require = [\"magnet\"]", "\"magnet\" is not a capability"), ("require = \"gps\"", "a list such as"),
    ("require = [1]", "t:1: require"),
  ])
  func `an error names the capability`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `a capability that the config itself excludes has a warning`() throws {
    func warnings(_ text: String) throws -> [String] {
      try ConfigurationDocument.parse(text: text, name: "t").warnings.map { "\($0)" }
    }
    #expect(
      try warnings("require = [\"gps\", \"venue\", \"location\", \"magnetometer\", \"beacons\"]") == [
        "t:1: require: gps: no satellite receiver is configured; add [location.gpsd] or [location.nmea]",
        "t:1: require: location: no location source is configured; add one such as [location.gpsd]",
        "t:1: require: venue: no venue is configured; add its file to venues",
      ])
    #expect(try warnings("require = [\"gps\", \"location\"]\n[location.gpsd]\n") == [])
    #expect(
      try warnings("require = [\"magnetometer\"]\n[heading]\nsource = \"off\"\n") == [
        "t:1: require: magnetometer: source = \"off\" in [heading] disables the compass; choose another source"
      ])
    let fixed = "[location.fixed]\nlatitude = 1\nlongitude = 2\n"
    #expect(
      try warnings("source = \"none\"\nrequire = [\"beacons\"]\n\(fixed)") == [
        "t:2: require: beacons: source = \"none\" disables scanning; choose another source"
      ])
  }
}
