import Consent
import ConsentService
import Events
import Instants
import Ranging
import Regions
import Status
import TestSupport
import Testing

@testable import Monitoring

/// The regions that apps have registered.
@Suite struct RegisteredRegionTests {
  private func allowed(_ files: Scene.Files = .init()) throws -> Scene {
    let scene = Scene(files)
    try scene.decide(.always)
    scene.source.begin()
    return scene
  }

  @Test func `an event is in the user's journal before it is sent, with its app`() throws {
    let scene = try allowed()
    try scene.register("desk", major: 1)
    scene.source.hear(1)
    #expect(scene.bus.events == ["1 enter desk"])
    #expect(scene.bus.details.first?.journal == "user-1000" && scene.bus.details.first?.appID == "org.example.Guide")
    #expect(scene.files.user(Scene.user).events.map(\.sequence) == [1] && scene.files.journal.events.isEmpty)
  }

  @Test func `registrations and their states are restored after a restart`() throws {
    let first = try allowed()
    try first.register("desk", major: 1)
    try first.register("desk", major: 2, app: "org.example.Other")
    first.source.hear(1)
    first.monitoring.end()
    let second = Scene(first.files)
    second.source.begin(at: 10)
    #expect(second.monitoring.registrationCounts.regions == 2 && second.monitoring.registrationCounts.apps == 2)
    second.source.hear(11)
    second.source.hear(12, major: 2)
    // The first app's visitor stayed, and the other app's is new. Both share one sequence.
    #expect(second.bus.events == ["2 state desk", "3 enter desk"])
    #expect(second.bus.details.map(\.appID) == ["org.example.Guide", "org.example.Other"])
  }

  @Test func `revoked consent stops the events, and the visit continues when consent is given again`() throws {
    let scene = try allowed()
    try scene.register("desk", major: 1)
    scene.source.hear(1)
    try scene.decide(.whenInUse)
    #expect(scene.monitoring.registrationCounts.idle == 1 && scene.source.demand == .nothing)
    scene.source.hear(5)
    scene.source.pass(to: 100)
    #expect(scene.bus.events == ["1 enter desk"])
    try scene.decide(.always)
    scene.source.hear(101)
    #expect(scene.bus.events == ["1 enter desk", "2 state desk"])
  }

  @Test func `a region of a user without consent works from the moment of consent`() throws {
    let scene = Scene()
    scene.source.begin()
    try scene.register("desk", major: 1)
    scene.source.hear(1)
    #expect(scene.bus.events.isEmpty && scene.monitoring.registeredRegions.first?.isIdle == true)
    try scene.decide(.always)
    scene.source.hear(2)
    #expect(scene.bus.events == ["1 enter desk"] && scene.monitoring.registeredRegions.first?.isIdle == false)
  }

  @Test func `a user's journal that opens late restores the states`() throws {
    let first = try allowed()
    try first.register("desk", major: 1)
    first.source.hear(1)
    first.monitoring.end()
    let store = first.files.user(Scene.user)
    store.fail(retryAt: first.scheduler.now + .seconds(60))
    let second = Scene(first.files)
    second.source.begin(at: 10)
    store.repair()
    second.source.now = .at(20)
    second.scheduler.advance(by: .seconds(60))
    second.source.hear(21)
    #expect(second.bus.events == ["2 state desk"])
  }

  @Test func `the journal of a user is removed with the user's last region`() throws {
    let scene = try allowed()
    try scene.register("desk", major: 1)
    try scene.register("lift", major: 2)
    scene.source.hear(1)
    let store = scene.files.user(Scene.user)
    try scene.unregister("desk")
    #expect(!store.isErased && store.regions.keys.sorted() == ["org.example.Guide lift"])
    try scene.unregister(nil)
    #expect(store.isErased && scene.monitoring.journal(of: Scene.user) == nil && scene.files.consent.registered.isEmpty)
    scene.source.pass(to: 100)
    #expect(scene.bus.events == ["1 enter desk"])
  }

  @Test func `a registration that the file does not take does not exist`() throws {
    let scene = try allowed()
    scene.files.consent.failure = .init()
    #expect(throws: RegistrationError.self) { try scene.register("desk", major: 1) }
    scene.source.hear(1)
    #expect(scene.bus.events.isEmpty && scene.monitoring.registrationCount(of: Scene.user) == 0)
    scene.files.consent.failure = nil
    try scene.register("desk", major: 1)
    scene.files.consent.failure = .init()
    #expect(throws: RegistrationError.self) { try scene.unregister("desk") }
    #expect(scene.monitoring.registrationCount(of: Scene.user) == 1)
  }

  @Test func `registrations that could not be read at the start are watched after the next change of consent`() throws {
    let scene = try allowed()
    try scene.register("desk", major: 1)
    scene.files.consent.failure = .init()
    let restarted = Scene(scene.files)
    restarted.source.begin()
    scene.files.consent.failure = nil
    try restarted.consent.setEnabled(true)
    restarted.source.hear(1)
    #expect(restarted.bus.events == ["1 enter desk"])
  }

  @Test func `registering a region again keeps its state, unless its definition has changed`() throws {
    let scene = try allowed()
    try scene.register("desk", major: 1)
    scene.source.hear(1)
    try scene.register("desk", major: 1)
    scene.source.hear(2)
    try scene.register("desk", major: 2)
    scene.source.hear(3, major: 2)
    #expect(scene.bus.events == ["1 enter desk", "2 state desk"])
  }

  @Test func `a damaged definition is reported, and the others work`() throws {
    let first = try allowed()
    try first.register("desk", major: 1)
    try first.register("lift", major: 2)
    first.files.consent.registered[0].definition = "{"
    let second = Scene(first.files)
    second.source.begin(at: 10)
    second.source.hear(11)
    second.source.hear(12, major: 2)
    #expect(second.bus.events == ["1 enter lift"])
    #expect(second.lines.all.contains { $0.contains("its region \"desk\" is damaged and has no effect until the app registers it again") })
  }
}
