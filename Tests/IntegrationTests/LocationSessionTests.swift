import Foundation
import TestSupport
import Testing

/// Locations that a Python client receives.
@Suite struct LocationSessionTests {
  private static func error(_ name: String) -> String { "\(BusClient.busName).Error.\(name)" }

  @Test func `a configured location is delivered at once, and only once`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    let session = try scene.client.openSession()
    #expect(
      try scene.client.property("Capabilities", "Session", at: session)
        == ["beaconRanging", "beaconRegions", "circularRegions", "location", "significantLocationChanges"])
    #expect(try scene.client.updateLocation(["distanceFilter": 10], on: session) == .values([]))
    let signal = try scene.client.next("the place") { $0.name == "LocationUpdated" }
    #expect(signal.destination == scene.client.name && signal.path == session)
    let place = signal.arguments[0]
    #expect(place["latitude"] == 52.52 && place["longitude"] == 13.405 && place["horizontalAccuracy"] == 1 && place["floor"] == 2)
    #expect(place["source"] == "fixed")
    #expect(signal.types[0] == ["latitude": "d", "longitude": "d", "horizontalAccuracy": "d", "floor": "x", "age": "d", "source": "s"])
    let sources = try #require(try scene.client.property("LocationSources", "Manager")?.list)
    #expect(sources.map { $0["state"] } == ["fixing"] && sources.map { $0["isOn"] } == [true])
    #expect(try scene.client.call(BusClient.session, "StopUpdatingLocation", at: session) == .values([]))
    let after = try #require(try scene.client.property("LocationSources", "Manager")?.list)
    #expect(after.map { $0["state"] } == ["off"] && after.map { $0["isOn"] } == [false])
    let switches = try #require(try scene.client.property("LocationSwitches", "Manager")?.list)
    #expect(switches.map { $0["reason"] } == ["the best accuracy is requested", "no program requests locations"])
    #expect(try scene.client.call(BusClient.session, "StopUpdatingLocation", at: session).name == Self.error("NotUpdatingLocation"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that leaves the bus ends its requests`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    var other: BusClient? = try scene.stage.listener()
    if let client = other {
      _ = try client.updateLocation(on: try client.openSession())
      _ = try client.nextLocation()
    }
    other = nil
    try wait(for: "the source to be off") {
      try scene.client.property("LocationSources", "Manager")?.list?.first?["state"] == "off"
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `requestLocation ends with the requested accuracy, and reports better fixes until then`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let session = try scene.client.openSession()
    try scene.client.ask(
      BusClient.session, "RequestLocation", at: session, signature: "a{sv}", arguments: [["desiredAccuracy": 10]])
    let watcher = try scene.stage.listener()
    for (hdop, latitude) in [(20.0, 52.0001), (8, 52.0002), (1, 52.0003)] {
      try receiver.say(latitude, 13, hdop: hdop, until: watcher)
    }
    let reply = try scene.client.answer(to: "RequestLocation")
    guard case .values(let values) = reply else { throw TimeoutError("\(reply)") }
    #expect(values.first?["latitude"] == 52.0003 && values.first?["source"] == "nmea")
    #expect(scene.client.signals.filter { $0.name == "LocationRefined" }.map { $0.arguments[0]["latitude"] } == [52.0001, 52.0002])
    #expect(try watcher.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a request without a fix until its timeout reports that the location is unknown`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let session = try scene.client.openSession()
    let reply = try scene.client.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", ["timeout": "200ms"])
    #expect(
      reply
        == .error(
          Self.error("LocationUnknown"), message: "no source has a fix; see \"beaconmon status\""))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device without a source reports it, and delivers its user's location`() throws {
    let scene = try LocationScene("")
    let session = try scene.client.openSession()
    #expect(try scene.client.property("Capabilities", "Session", at: session) == ["beaconRanging", "beaconRegions"])
    #expect(try scene.client.updateLocation(on: session).name == Self.error("NoLocationSource"))
    let place: JSON = ["latitude": 48.1, "longitude": 11.5, "floor": -1]
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", place) == .values([]))
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    let told = try scene.client.nextLocation()
    #expect(told["source"] == "manual" && told["latitude"] == 48.1 && told["floor"] == -1)
    let reply = try scene.client.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", [:])
    guard case .values(let values) = reply else { throw TimeoutError("\(reply)") }
    #expect(values.first?["source"] == "manual")
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", [:]) == .values([]))
    #expect(try scene.client.updateLocation(on: session).name == Self.error("NoLocationSource"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the user's location reaches a waiting session, and real fixes follow once a source exists`() throws {
    let scene = try LocationScene("")
    let session = try scene.client.openSession()
    func setManual(_ latitude: Double) throws {
      let place: JSON = ["latitude": .number(latitude), "longitude": 11.5]
      #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", place) == .values([]))
    }
    try setManual(48.1)
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation()["latitude"] == 48.1)
    try setManual(48.2)
    #expect(try scene.client.nextLocation()["latitude"] == 48.2)
    // The reload causes no further request.
    try scene.reload(LocationScene.fixed)
    #expect(try scene.client.nextLocation()["source"] == "fixed")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the user's location is delivered at once while no fix is known, and when location services are off`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let session = try scene.client.openSession()
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    let place: JSON = ["latitude": 48.1, "longitude": 11.5]
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", place) == .values([]))
    #expect(try scene.client.nextLocation()["source"] == "manual")
    try receiver.say(52, 13, until: scene.client)
    let told = scene.client.signals.filter { $0.name == "LocationUpdated" }.map { $0.arguments[0]["source"] }
    #expect(told.first == "manual" && told.last == "nmea" && told.count { $0 == "manual" } == 1)
    try scene.decide("off")
    _ = try scene.client.next("the manual place") { $0.name == "LocationUpdated" && $0.arguments[0]["source"] == "manual" }
    #expect(try scene.client.call(BusClient.session, "StopUpdatingLocation", at: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  /// The daemon runs as the user `nobody`, without access to the receiver.
  @Test(.enabled(if: geteuid() == 0, "requires root to run as another user"))
  func `a client receives at once the reason why the daemon may not use the source`() throws {
    let receiver = Receiver()
    chmod(receiver.device, 0o600)
    let scene = try ConsentScene(rules: receiver.config, service: (name: "nobody", number: 65_534))
    let session = try scene.insider.openSession()
    #expect(try scene.insider.updateLocation(on: session) == .values([]))
    let start = Date()
    let reason = try scene.insider.next("the reason") { $0.name == "LocationUnknown" }.arguments[0].text
    #expect(reason?.hasPrefix("no source has a fix: nmea: permission denied for \(receiver.device); ") == true)
    let reply = try scene.insider.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", ["timeout": "10m"])
    #expect(reply == .error(Self.error("LocationUnknown"), message: reason ?? ""))
    #expect(Date().timeIntervalSince(start) < 20)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session receives no location once location services are off`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let session = try scene.client.openSession()
    _ = try scene.client.updateLocation(on: session)
    try receiver.say(52, 13, until: scene.client)
    let off = try CommandLine(["privacy", "off", "--bus", scene.stage.bus.address])
    #expect(off.status == 0)
    _ = try scene.client.next("the end") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "denied" }
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    let reply = try scene.client.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", [:])
    #expect(reply.name == Self.error("LocationServicesDisabled"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a circle of the config is entered with its reason`() throws {
    let scene = try CircleScene(CircleScene.circle("square", 52.52, 13.405, radius: 200))
    try scene.stand(52.52, 13.4051)
    try scene.pass(21)
    let details = try #require(scene.client.signals.first { $0.name == "RegionEvent" }?.details)
    #expect(details["event"] == "enter" && details["kind"] == "circle" && details["state"] == "inside" && details["region"] == "square")
    #expect(details["location"]?["latitude"] == 52.52 && details["location"]?["horizontalAccuracy"]?.number.map { $0 < 10 } == true)
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      (["desiredAccuracy": "exact"], "desiredAccuracy must be metres or one of"),
      (["desiredAccuracy": -1], "desiredAccuracy must be metres or one of"),
      (["distanceFilter": 0], "distanceFilter must be a number of metres greater than zero"),
      (
        ["significantChanges": true, "distanceFilter": 5],
        "significantChanges cannot be combined with other options; it has its own accuracy and distance filter"
      ),
      (
        ["accuracy": 5],
        "unknown option \"accuracy\"; StartUpdatingLocation has desiredAccuracy, distanceFilter, significantChanges"
      ),
    ] as [(JSON, String)])
  func `invalid options are refused, and no source is switched on`(options: JSON, message: String) throws {
    let scene = try LocationScene(LocationScene.fixed)
    let session = try scene.client.openSession()
    guard case .error(let name, let reason) = try scene.client.updateLocation(options, on: session) else {
      throw TimeoutError("\(options) was accepted")
    }
    #expect(name == Self.error("InvalidOptions") && reason.hasPrefix(message), "\(reason)")
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      (["latitude": 91, "longitude": 0], "a latitude outside -90 to 90 is refused"),
      (["latitude": 1], "latitude and longitude are required, in degrees"),
      (["latitude": 1, "longitude": 2, "horizontalAccuracy": -1], "an impossible accuracy is refused"),
    ] as [(JSON, String)])
  func `an invalid location is refused`(place: JSON, message: String) throws {
    let scene = try LocationScene("")
    let session = try scene.client.openSession()
    #expect(
      try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", place)
        == .error(Self.error("InvalidOptions"), message: message))
    scene.daemon.signal(SIGTERM)
  }
}

/// `beaconmon locate` and `beaconmon track`.
@Suite struct LocateCommandTests {
  @Test func `locate prints the location as text, as JSON and for a map`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    let words = try CommandLine(["locate", "--bus", scene.stage.bus.address])
    #expect(words.status == 0)
    #expect(words.output == ["52.5200000, 13.4050000  ± 1.0 m", "floor 2", "from fixed"])
    let json = try JSON(parsing: try CommandLine(["locate", "--json", "--bus", scene.stage.bus.address]).output.first ?? "")
    #expect(json["latitude"] == 52.52 && json["source"] == "fixed")
    let map = try JSON(parsing: try CommandLine(["locate", "--geojson", "--bus", scene.stage.bus.address]).output.first ?? "")
    #expect(map["geometry"]?["coordinates"] == [13.405, 52.52])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a fix that misses the requested accuracy is printed with its own exit code`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    let arguments = ["--timeout", "200ms", "--bus", scene.stage.bus.address]
    let coarse = try CommandLine(["locate", "--json", "--accuracy", "0.5m"] + arguments)
    #expect(coarse.status == 75)
    #expect(try JSON(parsing: coarse.output.first ?? "")["latitude"] == 52.52)
    #expect(
      coarse.errors == [
        "beaconmon: no better than ± 1.0 m in this time; the request was for ± 0.5 m; increase --timeout, or request a lower --accuracy"
      ])
    #expect(try CommandLine(["locate", "--accuracy", "1m"] + arguments).status == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `locate on a device without a source prints the reason and has its own exit code`() throws {
    let scene = try LocationScene("")
    let refused = try CommandLine(["locate", "--bus", scene.stage.bus.address])
    #expect(refused.status == 69)
    #expect(refused.errors == ["beaconmon: this device has no location source; add one to [location] in beaconmon.toml"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `track prints a line for each move of a receiver`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let track = try RunningProgram(
      Programs.commandLine, ["track", "--distance-filter", "10m", "--json", "--bus", scene.stage.bus.address])
    for step in 0..<8 { try receiver.say(52 + 5e-5 * Double(step), 13, knots: 11, until: scene.client) }
    let lines = try (0..<4).map { _ in try JSON(parsing: try track.output.next("a line")) }
    // The steps are 5.6 m, so every second fix is ten metres from the last.
    #expect(lines.map { $0["latitude"] } == [52, 52.0001, 52.0002, 52.0003])
    track.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [
    (["locate", "--accuracy", "near"], "\"near\" is not a length; write a number and m or km, such as 10m"),
    (["locate", "--timeout", "1h"], "--timeout must be from 100ms to 10m"),
    (["locate", "--json", "--geojson"], "--json and --geojson cannot be combined"),
    (["track", "--distance-filter", "0"], "--distance-filter must be greater than zero; omit it to print every fix"),
  ])
  func `the error for wrong usage states the remedy`(arguments: [String], message: String) throws {
    let wrong = try CommandLine(arguments)
    #expect(wrong.status == 64)
    #expect(wrong.errors.first?.contains(message) == true, "\(wrong.errors)")
  }
}
