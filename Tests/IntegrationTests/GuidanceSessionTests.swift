import Beaconmon
import Foundation
import TestSupport
import Testing

/// A venue of two levels with stairs, around a device that does not move.
enum GuidedVenue {
  /// - Parameter places: the tables of further places.
  static func text(places: String = clock, frame: Bool = true) -> String {
    let location = frame ? "[frame]\nlatitude = 48.137\nlongitude = 11.575\n" : ""
    return """
      format = 1
      name = "Hall"
      uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
      \(location)
      [[level]]
      id = "ground"
      name = { en = "Ground floor", de = "Erdgeschoss" }
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[level]]
      id = "first"
      ordinal = 1
      name = { en = "First floor", de = "Obergeschoss" }
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[level]]
      id = "attic"
      ordinal = 2
      walkable = [[[0, 0], [40, 0], [40, 10], [0, 10]]]
      [[place]]
      id = "shop"
      level = "first"
      position = [5, 5]
      title = { en = "Shop", de = "Laden" }
      [[place]]
      id = "store"
      level = "attic"
      position = [5, 5]
      [[place]]
      id = "moon"
      level = "ground"
      position = [500, 5]
      [[node]]
      id = "foot"
      level = "ground"
      position = [38, 5]
      [[node]]
      id = "top"
      level = "first"
      position = [38, 5]
      [[edge]]
      from = "foot"
      to = "top"
      kind = "stairs"
      # A venue without beacons would be entered by its outline, for which the source of locations stays on.
      [[beacon]]
      major = 1
      minor = 1
      level = "ground"
      position = [1, 1]
      \(places)
      """
  }

  static let clock = """
    [[place]]
    id = "clock"
    level = "ground"
    position = [30, 5]
    title = { en = "Clock", de = "Uhr" }
    """

  /// A device that stands at the point [10, 5] of the ground floor.
  static let config = """
    venues = ["hall.toml"]
    [location.fixed]
    latitude = 48.1370449
    longitude = 11.5751344
    accuracy = 1.0
    floor = 0

    """
}

/// Guidance and routes that a Python client receives.
@Suite struct GuidanceSessionTests {
  private static func error(_ name: String) -> String { "\(BusClient.busName).Error.\(name)" }

  private func scene(_ venue: String = GuidedVenue.text()) throws -> SessionScene {
    try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": venue])
  }

  private func call(_ scene: SessionScene, _ method: String, _ options: JSON, on session: String) throws -> BusClient.Reply {
    try scene.client.call(BusClient.session, method, at: session, signature: "a{sv}", options)
  }

  @Test func `guidance is sent to its session alone, with a route and an instruction, until it is stopped`() throws {
    let scene = try scene()
    let stranger = try scene.stranger()
    let session = try scene.client.openSession()
    #expect(try call(scene, "StartGuidance", ["place": "shop", "locale": "de"], on: session) == .values([]))
    let route = try scene.client.next("the route") { $0.name == "GuidanceRouteChanged" }
    #expect(route.destination == scene.client.name && route.path == session)
    #expect(route.arguments[0]["reason"] == "start" && route.arguments[0]["title"] == "Laden")
    let instruction = try scene.client.next("the start") { $0.name == "GuidanceInstruction" }.arguments[0]
    #expect(instruction["kind"] == "start" && instruction["language"] == "de" && instruction["text"]?.text?.isEmpty == false)
    // The first one reports the search.
    let update = try #require(scene.client.signals.last { $0.name == "GuidanceUpdated" })
    let guidance = update.arguments[0]
    #expect(guidance["state"] == "underWay" && guidance["mode"] == "route" && guidance["place"] == "shop" && guidance["level"] == "first")
    #expect(guidance["next"]?["kind"] == "changeLevel" && guidance["position"]?["level"] == "ground")
    // To the right end of the hall, eastwards.
    #expect(guidance["bearing"]?.number.map { abs($0 - 90) < 1 } == true, "\(guidance)")
    #expect(guidance["turn"] == nil && guidance["side"] == nil)
    let types = update.types[0]
    #expect(types?["distance"] == "d" && types?["next"]?["kind"] == "s" && types?["timestamp"] == "t")
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == true)
    #expect(try scene.client.call(BusClient.session, "StopGuidance", at: session) == .values([]))
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    #expect(try scene.client.call(BusClient.session, "StopGuidance", at: session).name == Self.error("NotGuiding"))
    #expect(!stranger.signals.contains { $0.name.hasPrefix("Guidance") })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a destination that cannot be reached is refused by name`() throws {
    let scene = try scene()
    let session = try scene.client.openSession()
    let cases: [(JSON, String, String)] = [
      ([:], "InvalidOptions", "the destination is missing"),
      (["place": "clok"], "NoSuchPlace", "did you mean \"Clock\"?"),
      (["place": "clock", "venue": "hal"], "NoSuchVenue", "did you mean \"hall\"?"),
      (["place": "clock", "level": "first"], "InvalidOptions", "a level of its own"),
      (["place": "s"], "AmbiguousPlace", "means several places"),
      (["place": "moon"], "NoRoute", "the destination is outside"),
      (["level": "cellar"], "NoSuchLevel", "the levels are ground, first, attic"),
      (["x": 3, "y": 3], "InvalidOptions", "level is missing"),
      (["x": 3], "InvalidOptions", "x and y belong together"),
      (["x": 3, "y": 300, "level": "ground"], "NoRoute", "the destination is outside"),
      (["latitude": 91, "longitude": 0], "InvalidOptions", "latitude must be from -90 to 90"),
      (["latitude": 48.13704, "longitude": 11.57513], "InvalidOptions", "the levels of hall are ground, first, attic"),
      (["place": "clock", "radius": 0], "InvalidOptions", "radius"),
      (["place": "clock", "speed": 9], "InvalidOptions", "speed"),
      (["place": "clock", "colour": "red"], "InvalidOptions", "unknown option \"colour\""),
    ]
    for (options, name, words) in cases {
      guard case .error(Self.error(name), let message) = try call(scene, "StartGuidance", options, on: session) else {
        Issue.record("\(options) is not refused as \(name)")
        continue
      }
      #expect(message.contains(words), "\(message)")
    }
    #expect(try call(scene, "StartGuidance", ["place": 3], on: session).name == "org.freedesktop.DBus.Error.InvalidArgs")
    // No way leads to the attic.
    #expect(try call(scene, "StartGuidance", ["place": "store"], on: session) == .values([]))
    let failure = try scene.client.next("the island") { $0.name == "GuidanceFailed" }
    #expect(failure.arguments[0].text == Self.error("NoRoute"))
    #expect(failure.arguments[1].text?.contains("no way leads from level \"ground\"") == true, "\(failure.arguments)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a reload that removes the destination ends guidance, and one that moves it leads there`() throws {
    let scene = try scene()
    let session = try scene.client.openSession()
    #expect(try call(scene, "StartGuidance", ["place": "clock"], on: session) == .values([]))
    _ = try scene.client.next("the route") { $0.name == "GuidanceRouteChanged" }
    _ = try scene.stage.file("hall.toml", GuidedVenue.text(places: ""))
    scene.daemon.signal(SIGHUP)
    let end = try scene.client.next("the end") { $0.name == "GuidanceEnded" }
    #expect(end.arguments[0] == "destinationGone" && end.arguments[1].text?.contains("there is no place \"clock\"") == true)
    #expect(try scene.client.call(BusClient.session, "StopGuidance", at: session).name == Self.error("NotGuiding"))
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a revoked consent ends guidance with its reason`() throws {
    let scene = try scene()
    let session = try scene.client.openSession()
    #expect(try call(scene, "StartGuidance", ["place": "clock"], on: session) == .values([]))
    _ = try CommandLine(["privacy", "off", "--bus", scene.stage.bus.address])
    let end = try scene.client.next("the end") { $0.name == "GuidanceEnded" }
    #expect(end.arguments[0] == "notAuthorized")
    #expect(try call(scene, "StartGuidance", ["place": "clock"], on: session).name == Self.error("LocationServicesDisabled"))
    #expect(try call(scene, "Route", ["place": "clock"], on: session).name == Self.error("LocationServicesDisabled"))
    // Without the position of the device, a route is only about the venue.
    #expect(try call(scene, "Route", ["place": "clock", "fromX": 2, "fromY": 5, "fromLevel": "ground"], on: session).name == nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a route begins at a stated start or at the position of the device`() throws {
    let scene = try scene()
    let session = try scene.client.openSession()
    guard case .values(let here) = try call(scene, "Route", ["place": "clock"], on: session) else { throw TimeoutError("no route") }
    #expect(here[0]["length"]?.number.map { abs($0 - 20) < 0.5 } == true && here[0]["startAccuracy"] == 1)
    guard case .values(let stated) = try call(scene, "Route", ["place": "shop", "fromPlace": "clock"], on: session) else {
      throw TimeoutError("no route")
    }
    #expect(stated[0]["points"]?.list?.contains { $0["mode"] == "stairs" } == true && stated[0]["place"] == "shop")
    #expect(try call(scene, "Route", ["place": "store", "fromPlace": "clock"], on: session).name == Self.error("NoRoute"))
    #expect(try call(scene, "Route", ["place": "shop", "fromLevel": "first"], on: session).name == Self.error("InvalidOptions"))
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `without a source of locations guidance is refused`() throws {
    let scene = try LocationScene("")
    let session = try scene.client.openSession()
    let options: JSON = ["latitude": 48.2, "longitude": 11.5]
    let reply = try scene.client.call(BusClient.session, "StartGuidance", at: session, signature: "a{sv}", options)
    #expect(reply.name == Self.error("NoLocationSource"))
    scene.daemon.signal(SIGTERM)
  }
}

/// Appointments through the Swift library.
@Suite(.serialized, .ownThread) struct AppointmentSequenceTests {
  /// Seconds of the capture.
  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6 + seconds) }

  @Test func `a program gets advice for its appointments once, also after the daemon restarts, and a refusal with its reason`()
    async throws
  {
    let scene = try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": GuidedVenue.text()])
    let manager = LocationManager(purpose: "Reminds of tours", bus: .address(scene.stage.bus.address))
    // The way of 20 m takes 15 s. The clock is that of the capture.
    let tour = Appointment(at: "Clock", date: Self.date(200), title: "Tour")
    let wrong = Appointment(at: "clok", date: Self.date(200))
    manager.startMonitoring(for: tour)
    manager.startMonitoring(for: wrong)
    var updates = manager.appointmentUpdates.makeAsyncIterator()
    var (event, failure): (AppointmentEvent?, LocationError?)
    while event == nil || failure == nil, let update = await updates.next() {
      switch update {
      case .event(let advice): event = advice
      case .failed(let appointment, let error):
        #expect(appointment == wrong)
        failure = error
      case .gap: break
      }
    }
    #expect(event?.kind == .depart && event?.appointment == tour && event?.placeName == "Clock")
    #expect(event?.travelTime.map { (10...25).contains($0.components.seconds) } ?? false && event?.travelDistance ?? 0 > 15)
    #expect(failure?.code == .appointmentFailure && failure?.message.contains("no venue has the place \"clok\"") == true)
    manager.stopMonitoring(for: wrong)
    #expect(manager.monitoredAppointments == [tour])

    scene.daemon.signal(SIGKILL)
    _ = try scene.daemon.exitStatus()
    let feed = try CaptureFeed(scene.stage, named: "later.btsnoop")
    let daemon = try scene.stage.daemon(config: scene.stage.folder.file("config.toml"), source: feed.path)
    try feed.hear(at: 20)
    // The restarted daemon sends its advice again; the next update is that of the second appointment.
    let urgent = Appointment(at: "clock", date: Self.date(30), venue: "hall", margin: .zero)
    manager.startMonitoring(for: urgent)
    var next: AppointmentEvent?
    while next == nil, let update = await updates.next() { if case .event(let advice) = update { next = advice } }
    #expect(next?.kind == .hurry && next?.appointment == urgent)
    manager.stopMonitoring(for: urgent)
    manager.stopMonitoring(for: tour)
    daemon.signal(SIGTERM)
  }

  @Test func `appointments are suspended while location services are off, and continue when they are on`() async throws {
    let scene = try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": GuidedVenue.text()])
    let session = try scene.client.openSession()
    func add(_ seconds: Double) throws -> BusClient.Reply {
      let options: JSON = ["place": "clock", "time": .number((Self.date(seconds).timeIntervalSince1970 * 1e6).rounded())]
      return try scene.client.call(BusClient.session, "AddAppointment", at: session, signature: "a{sv}", options)
    }
    guard case .values(let identifier) = try add(600) else { throw TimeoutError("no identifier") }
    _ = try CommandLine(["privacy", "off", "--bus", scene.stage.bus.address])
    #expect(try add(60).name == "\(BusClient.busName).Error.LocationServicesDisabled")
    // The capture jumps to a time at which the advice is due.
    try scene.feed.hear(minor: 1, at: 400)
    try scene.feed.waitUntilRead(by: scene.client)
    #expect(!scene.client.signals.contains { $0.name == "AppointmentEvent" })
    _ = try CommandLine(["privacy", "on", "--bus", scene.stage.bus.address])
    let advice = try scene.client.next("the advice") { $0.name == "AppointmentEvent" }
    #expect(advice.arguments[0] == "depart" && advice.arguments[1] == identifier[0])
    scene.daemon.signal(SIGTERM)
  }
}

/// Guidance through the Swift library.
@Suite(.serialized, .ownThread) struct GuidanceSequenceTests {
  private func scene() throws -> SessionScene {
    try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": GuidedVenue.text()])
  }

  private func manager(_ scene: SessionScene) -> LocationManager {
    LocationManager(purpose: "Leads to exhibits", bus: .address(scene.stage.bus.address))
  }

  @Test func `a sequence has the route, the state and the instruction, and its end stops guidance`() async throws {
    let scene = try scene()
    let manager = manager(scene)
    var (hasRoute, hasState, hasInstruction) = (false, false, false)
    for try await change in manager.guidanceUpdates(RouteRequest(to: .place("Clock"), language: "en")) {
      switch change {
      case .route(let route): hasRoute = route.place == "clock" && !route.steps.isEmpty && route.points.last?.x == 30
      case .state(let guidance) where guidance.state == .underWay:
        hasState = guidance.mode == .route && guidance.title == "Clock" && abs((guidance.distance ?? 0) - 20) < 1
      case .instruction(let instruction): hasInstruction = instruction.kind == .start && instruction.language == "en"
      case .state, .failed, .ended: break
      }
      if hasRoute, hasState, hasInstruction { break }
    }
    try wait(for: "the source to be off") {
      try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a second sequence replaces the first, a refused one throws, and a route needs no guidance`() async throws {
    let scene = try scene()
    let manager = manager(scene)
    var first = manager.guidanceUpdates(RouteRequest(to: .place("shop"))).makeAsyncIterator()
    while let change = try await first.next() { if case .route = change { break } }
    var second = manager.guidanceUpdates(RouteRequest(to: .plan(x: 2, y: 2, level: "ground"))).makeAsyncIterator()
    var end: GuidanceEnd?
    while let change = try await first.next() { if case .ended(let reason) = change { end = reason } }
    #expect(end?.reason == .replaced)
    while let change = try await second.next() { if case .route(let route) = change { #expect(route.place == nil); break } }
    let refusal = await #expect(throws: LocationError.self) {
      for try await _ in manager.guidanceUpdates(RouteRequest(to: .place("clok"))) {}
    }
    #expect(refusal?.code == .routeFailure && refusal?.message.contains("did you mean") == true)
    let route = try await manager.route(RouteRequest(to: .place("shop"), from: .place("clock")))
    #expect(route.title == "Shop" && route.points.last?.floor == 1 && route.time > .zero)
    await #expect(throws: LocationError.self) { try await manager.route(RouteRequest(to: .place("store"), from: .place("clock"))) }
    scene.daemon.signal(SIGTERM)
  }
}
