import Foundation
import TestSupport
import Testing

/// Access to the device's location, and the answers to users without access.
@Suite(.enabled(if: geteuid() == 0, "requires root to run as another user")) struct LocationConsentTests {
  private static let here: JSON = ["latitude": 48.1, "longitude": 11.5]

  private func scene(_ receiver: String = LocationScene.fixed) throws -> ConsentScene { try ConsentScene(rules: receiver + "\n") }

  private func request(_ scene: ConsentScene, _ session: String, _ options: JSON = [:]) throws -> BusClient.Reply {
    try scene.client.call(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", options)
  }

  private func isOn(_ scene: ConsentScene) throws -> Bool {
    try scene.insider.property("LocationSources", "Manager")?.list?.first?["isOn"] == true
  }

  @Test func `a client without consent receives only its own user's location`() throws {
    let scene = try scene()
    let session = try scene.client.openSession()
    #expect(try scene.client.updateLocation(on: session) == ConsentScene.undecided)
    #expect(try request(scene, session) == ConsentScene.undecided)
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", Self.here) == .values([]))
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation().without("age") == ["latitude": 48.1, "longitude": 11.5, "source": "manual"])
    guard case .values(let values) = try request(scene, session) else { throw TimeoutError("no manual place") }
    #expect(values.first?["source"] == "manual" && values.first?["latitude"] == 48.1)
    #expect(try !isOn(scene))
    // With consent the client receives the device's location, and not its user's.
    try scene.decide("grant", "65534")
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation()["source"] == "fixed")
    #expect(try isOn(scene))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client without consent cannot find the owner's places by stating locations`() throws {
    let office = """
      [[place]]
      name = "Office"
      latitude = 48.1
      longitude = 11.5
      radius = 60

      """
    let scene = try scene(LocationScene.fixed + "\n" + office)
    let session = try scene.client.openSession()
    let here: JSON = ["latitude": 48.1, "longitude": 11.5, "horizontalAccuracy": 1]
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", here) == .values([]))
    guard case .values(let values) = try request(scene, session) else { throw TimeoutError("no manual place") }
    let stated: JSON = ["latitude": 48.1, "longitude": 11.5, "horizontalAccuracy": 1, "source": "manual"]
    #expect(values.first?.without("age") == stated)
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation().without("age") == stated)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that is revoked receives no more updates, and its circles end`() throws {
    let receiver = Receiver()
    let scene = try scene(receiver.config)
    try scene.decide("grant", "65534")
    let session = try scene.client.openSession()
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    let circle: JSON = ["identifier": "square", "latitude": 52, "longitude": 13, "radius": 200]
    #expect(try scene.client.monitor(circle, on: session) == .values([]))
    try receiver.say(52, 13, until: scene.insider)
    #expect(try scene.client.nextLocation()["latitude"] == 52)
    // A pending request, which no fix satisfies.
    try scene.client.ask(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", arguments: [["desiredAccuracy": 0.01]])
    _ = try scene.client.next("the first refinement") { $0.name == "LocationRefined" }
    try scene.decide("revoke", "65534")
    guard case .error(let name, _) = try scene.client.answer(to: "RequestLocation") else { throw TimeoutError("a location") }
    #expect(name == "\(BusClient.busName).Error.NotAuthorized")
    try wait(for: "the end") { try scene.client.property("Authorization", "Session", at: session) == "denied" }
    let count = scene.client.signals.count { $0.name.hasPrefix("Location") }
    #expect(try !isOn(scene))
    // Another user's updates continue.
    #expect(try scene.insider.updateLocation(on: try scene.insider.openSession()) == .values([]))
    for latitude in [52.1, 52.2] { try receiver.say(latitude, 13, until: scene.insider) }
    #expect(scene.insider.signals.contains { $0.name == "LocationUpdated" && $0.arguments[0]["latitude"] == 52.2 })
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == [])
    #expect(scene.client.signals.count { $0.name.hasPrefix("Location") } == count)
    #expect(scene.client.signals.contains { $0.name == "AuthorizationChanged" && $0.arguments[0] == "denied" })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `while the switch is off, a client receives its user's location, and the device's location afterwards`() throws {
    let scene = try scene()
    try scene.decide("grant", "65534")
    let session = try scene.client.openSession()
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation()["source"] == "fixed")
    try scene.decide("off")
    _ = try scene.client.next("the end") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "denied" }
    #expect(try !isOn(scene))
    #expect(try scene.client.updateLocation(on: session).name == "\(BusClient.busName).Error.LocationServicesDisabled")
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: session, signature: "a{sv}", Self.here) == .values([]))
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation()["source"] == "manual")
    #expect(try !isOn(scene))
    try scene.decide("on")
    _ = try scene.client.next("the return") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "whenInUse" }
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    #expect(try scene.client.nextLocation()["source"] == "fixed")
    scene.daemon.signal(SIGTERM)
  }
}
