import Locations
import MonitorConfiguration
import Testing

@Suite struct LocationTests {
  private func settings(_ text: String) throws -> LocationSettings {
    try Configuration.parse(text: text, name: "t").location
  }

  @Test func `a config without a location table has no location source`() throws {
    #expect(try settings("") == LocationSettings())
    #expect(try settings("[location]") == LocationSettings())
  }

  @Test func `a location table enables its source with the defaults`() throws {
    #expect(try settings("[location.gpsd]") == LocationSettings(gpsd: GPSDSettings(address: HostAddress(host: "localhost", port: 2947))))
    #expect(try settings("[location.geoclue]") == LocationSettings(geoClue: GeoClueSettings()))
    #expect(
      try settings("[location.nmea]\ndevice = \"/dev/ttyS0\"") == LocationSettings(nmea: .serial(path: "/dev/ttyS0", baud: 9600)))
    #expect(
      try settings("[location.fixed]\nlatitude = -33\nlongitude = 151.5")
        == LocationSettings(fixed: LocationReading(latitude: -33, longitude: 151.5, horizontalAccuracy: 10)))
  }

  /// Returns the warnings without the file's name.
  private func warnings(_ text: String) throws -> [String] {
    try ConfigurationDocument.parse(text: text, name: "t").warnings.map { String("\($0)".dropFirst(2)) }
  }

  private func warnings(_ sources: String, radii: [Int]) throws -> [String] {
    let regions = radii.enumerated().map { "[[region]]\nidentifier = \"r\($0)\"\nlatitude = 1\nlongitude = 2\nradius = \($1)\n" }
    return try warnings(sources + "\n" + regions.joined())
  }

  @Test func `circles without a usable location source have a warning`() throws {
    #expect(try warnings("", radii: []) == [])
    #expect(
      try warnings("", radii: [100, 200]) == [
        "2: regions \"r0\", \"r1\": no location source is configured; add one such as [location.gpsd]"
      ])
    #expect(
      try warnings("[location.geoclue]", radii: [100, 99]) == [
        "7: region \"r1\": its radius is small for fixes with an accuracy of 50 m at best; use at least 100 m, or a more accurate source"
      ])
    #expect(try warnings("[location.geoclue]\n[location.gpsd]", radii: [99, 6]) == [])
    #expect(try warnings("[location.fixed]\nlatitude = 1\nlongitude = 2\naccuracy = 0.5", radii: [1]) == [])
    #expect(
      try warnings("[location.nmea]\ndevice = \"/dev/ttyS0\"", radii: Array(repeating: 5, count: 6)).first?.hasPrefix(
        "3: regions \"r0\", \"r1\", \"r2\", \"r3\" and 2 more: their radii are small for fixes with an accuracy of 3 m at best; use at lea")
        == true
    )
  }

  @Test func `settings that exclude each other or have no effect have a warning`() throws {
    #expect(try warnings("[location.capture]\npath = \"w.nmea\"").map { $0.prefix(40) } == ["1: location: capture: runs on the clock "])
    #expect(try warnings("source = \"none\"\n[location.capture]\npath = \"w.nmea\"") == [])
    #expect(
      try warnings("[location.gpsd]\n[location.nmea]\ndevice = \"/dev/ttyS0\"").map { $0.prefix(42) } == [
        "2: location: nmea: gpsd uses its receivers"
      ])
    #expect(try warnings("[location.gpsd]\n[location.nmea]\naddress = \"h:1\"") == [])
    let gate = "[[region]]\nidentifier = \"r\"\nlatitude = 1\nlongitude = 2\nradius = 100\nscan-only-near = true\n"
    #expect(
      try warnings("source = \"none\"\n[location.gpsd]\n" + gate).map { $0.prefix(42) } == ["3: region \"r\": scan-only-near has no effec"])
    #expect(try warnings("[location.gpsd]\n" + gate) == [])
  }

  @Test func `every key of a location source is read`() throws {
    let text = """
      [location.gpsd]
      address = "[2001:db8::7]:2948"
      device = "/dev/ttyACM0"
      [location.nmea]
      address = "192.0.2.7:10110"
      [location.fixed]
      latitude = 50.1109
      longitude = 8.6821
      altitude = 112
      floor = -1
      accuracy = 2.5
      """
    var place = LocationReading(latitude: 50.1109, longitude: 8.6821, horizontalAccuracy: 2.5)
    (place.altitude, place.floor) = (112, -1)
    #expect(
      try settings(text)
        == LocationSettings(
          gpsd: GPSDSettings(address: HostAddress(host: "2001:db8::7", port: 2948), device: "/dev/ttyACM0"),
          nmea: .tcp(HostAddress(host: "192.0.2.7", port: 10110)), fixed: place))
    let serial = "[location.nmea]\ndevice = \"/dev/ttyS0\"\nbaud = 115200"
    #expect(try settings(serial) == LocationSettings(nmea: .serial(path: "/dev/ttyS0", baud: 115_200)))
  }

  @Test(arguments: [
    (
      "[location.gpsd]\naddress = \"localhost\"",
      "t:2: location: gpsd: address: \"localhost\" is not a host with a port; write \"localhost:2947\", with brackets around an IPv6 address"
    ),
    (
      "[location.gpsd]\naddress = \"2001:db8::7:2947\"",
      "t:2: location: gpsd: address: \"2001:db8::7:2947\" is not a host with a port; write \"localhost:2947\", with brackets around an IPv6 address"
    ),
    (
      "[location.gpsd]\ndevice = \"ttyS0\"",
      "t:2: location: gpsd: device: \"ttyS0\" is not a device; write its path, such as \"/dev/ttyUSB0\""
    ),
    ("[location.gpsd]\nport = 1", "t:2: location: gpsd: unknown key \"port\"; the keys here are address, device"),
    (
      "[location.nmea]",
      "t:1: location: nmea: has no receiver; write device = \"/dev/ttyUSB0\" or address = \"192.0.2.7:10110\""
    ),
    (
      "[location.nmea]\ndevice = \"/dev/ttyS0\"\naddress = \"a:1\"",
      "t:3: location: nmea: address: cannot be combined with device; remove one of them"
    ),
    (
      "[location.nmea]\naddress = \"a:1\"\nbaud = 9600",
      "t:3: location: nmea: baud: requires a device; remove it"
    ),
    (
      "[location.nmea]\ndevice = \"/dev/ttyS0\"\nbaud = 9601",
      "t:3: location: nmea: baud: 9601 is not a supported speed; use one of 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600"
    ),
    ("[location.fixed]\nlatitude = 50", "t:1: location: fixed: missing key \"longitude\""),
    (
      "[location.fixed]\nlatitude = 91\nlongitude = 8",
      "t:2: location: fixed: latitude: 91 is not between -90 and 90; are latitude and longitude swapped?"
    ),
    ("[location.fixed]\nlatitude = nan\nlongitude = 8", "t:2: location: fixed: latitude: nan is not between -90 and 90"),
    ("[location.fixed]\nlatitude = 9\nlongitude = 181", "t:3: location: fixed: longitude: 181 is not between -180 and 180"),
    ("[location.fixed]\nlatitude = 9\nlongitude = 8\naccuracy = 0", "t:4: location: fixed: accuracy: 0 is not between 0.01 and 100000"),
    ("[location]\ngpsd = true", "t:2: location: gpsd: must be a table, not true or false; write [location.gpsd] and its keys below"),
    ("[location.gps]", "t:1: location: unknown key \"gps\"; did you mean \"gpsd\"?"),
  ])
  func `an invalid location source is reported with its line`(text: String, problem: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == problem)
  }

  @Test(arguments: ["", ":", ":1", "a:", "a:0", "a:65536", "a b:1", "-x:1", "[::1:1", "::1]:1", "[]:1", "a\n:1", "ä:1"])
  func `malformed text is not a host with a port`(text: String) {
    #expect(HostAddress(text) == nil)
  }

  @Test(arguments: ["localhost:2947", "192.0.2.7:1", "[::1]:65535", "gps.example.org:10110"])
  func `a host with a port is written in the form in which it is read`(text: String) {
    #expect(HostAddress(text)?.description == text)
  }

  @Test func `a recorded walk requires a source that plays beside it, or none`() throws {
    let walk = "[location.capture]\npath = \"walk.nmea\"\n"
    for source in ["capture:a.btsnoop", "none"] {
      #expect(try Configuration.parse(text: "source = \"\(source)\"\n" + walk, name: "t").location.capture != nil)
    }
    for source in ["auto", "bluez", "hci", "simulator:a.toml"] {
      let error = #expect(throws: ConfigurationError.self) {
        try Configuration.parse(text: "source = \"\(source)\"\n" + walk, name: "t")
      }
      #expect(error?.description.hasSuffix(": location: capture: \(LocationSettings.needsRecording)") == true)
    }
  }

  @Test func `a device without beacons needs more than the default source of headings`() throws {
    let none = "source = \"none\"\n"
    for heading in ["source = \"auto\"", "source = \"off\"", "mount-angle = 90"] {
      let error = #expect(throws: ConfigurationError.self) {
        try Configuration.parse(text: none + "[heading]\n" + heading + "\n", name: "t")
      }
      #expect(error?.description == "t:1: source: \(Configuration.hasNothingToDo)")
    }
    for heading in ["source = \"iio\"", "source = \"simulator\""] {
      #expect(try Configuration.parse(text: none + "[heading]\n" + heading + "\n", name: "t").worksWithoutBeacons)
    }
    // An invalid table may be the one that is missing.
    for table in ["[heading]\nsource = \"compass\"\n", "[location.fixed]\nlatitude = 1\n"] {
      let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: none + table, name: "t") }
      #expect(error?.description.contains(Configuration.hasNothingToDo) == false)
    }
  }

  @Test func `a config without a beacon source requires a location source and has no beacon regions`() throws {
    let circle = "[[region]]\nidentifier = \"c\"\nlatitude = 1\nlongitude = 2\nradius = 100\n"
    let configuration = try Configuration.parse(text: "source = \"none\"\n[location.geoclue]\n" + circle, name: "t")
    #expect(configuration.source == .nothing && configuration.regions.count == 1)
    let beacon = "[[region]]\nidentifier = \"b\"\nuuid = \"\(galleryUUID)\"\n"
    for (text, message) in [
      (
        "source = \"none\"\n[location]\n" + circle,
        "t:1: source: there is no source of beacons, locations or headings; choose another source, add a [location] table, or a source in [heading]"
      ),
      (
        "source = \"none\"\n" + circle,
        "t:1: source: there is no source of beacons, locations or headings; choose another source, add a [location] table, or a source in [heading]"
      ),
      (
        "source = \"none\"\n[location.geoclue]\n" + beacon,
        "t:5: region \"b\": uuid: has no effect with source = \"none\", which disables scanning; remove the region, or choose another source"
      ),
    ] {
      let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
      #expect(error?.description == message)
    }
  }
}
