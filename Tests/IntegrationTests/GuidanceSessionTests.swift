import Beaconmon
import Foundation
import TestSupport
import Testing

/// Guidance and routes that a Python client receives.
@Suite struct GuidanceSessionTests {
  static func error(_ name: String) -> String { "\(BusClient.busName).Error.\(name)" }

  func scene(_ venue: String = GuidedVenue.text()) throws -> SessionScene {
    try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": venue])
  }

  func call(_ scene: SessionScene, _ method: String, _ options: JSON, on session: String) throws -> BusClient.Reply {
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
