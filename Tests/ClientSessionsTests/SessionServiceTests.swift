import TestSupport
import ConsentService
import Beacons
import ClientSessions
import Consent
import Regions
import Testing

/// The requests of sessions: their start, and their end with the session or with consent.
@Suite struct SessionServiceTests {
  private let scene = SessionScene()

  /// Starts every kind of request of beacons.
  private func fill(_ client: SessionScene.Client) throws {
    _ = try scene.service.startRanging(.beacon(1), in: client.session)
    try scene.service.startScanning(in: client.session)
    scene.monitoring.configured = ["door"]
    try scene.service.startMonitoring(configured: "door", in: client.session)
    try scene.monitor("hall", in: client)
    scene.service.setReceptionReported(true, in: client.session)
  }

  @Test func `a closed session leaves nothing behind, and its use ends`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    try fill(client)
    let search = client.search(within: 0.01)
    #expect(scene.monitoring.monitored.map(\.owner) == [client.session.owner])
    #expect(scene.monitoring.constraints.count == 1 && scene.monitoring.scanners == 1 && scene.monitoring.receptionClients == 1)
    #expect(scene.uses == [true])
    client.close()
    #expect(search.refusal == .closed)
    #expect(scene.monitoring.constraints.isEmpty && scene.monitoring.scanners == 0 && scene.monitoring.receptionClients == 0)
    #expect(scene.monitoring.monitored.isEmpty && scene.monitoring.forgotten == [client.session.owner])
    #expect(!scene.source.isOn && client.dropCount == 1 && client.signals.isEmpty)
    #expect(scene.uses == [false] && !scene.service.isOpen(client.session))
    try scene.decide(.denied)
    #expect(client.signals.isEmpty)
  }

  @Test func `revoked consent ends ranging, scanning and monitoring, and they start again after new consent`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    try fill(client)
    try scene.decide(.denied)
    #expect(client.drain().map(\.authorization) == [.denied])
    #expect(client.session.regions.isEmpty && client.session.configuredRegions.isEmpty && client.session.constraints.isEmpty)
    #expect(scene.monitoring.monitored.isEmpty && scene.monitoring.scanners == 0 && scene.monitoring.constraints.isEmpty)
    // The session and its wish for the reception remain.
    #expect(scene.monitoring.receptionClients == 1 && scene.service.isOpen(client.session))
    try scene.decide(.denied)
    #expect(client.signals.isEmpty)
    try scene.decide(.always)
    #expect(client.drain().map(\.authorization) == [.always])
    try fill(client)
    #expect(scene.monitoring.monitored.count == 1 && scene.uses.contains(true))
  }

  @Test func `a switch of location services reports each session once, with the reason`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    try scene.consent.setEnabled(false)
    let verdict = scene.consent.verdict(for: Person(SessionScene.alice))
    #expect(verdict.basis == .switchedOff && client.drain() == [.authorizationChanged(verdict)])
    #expect(client.update().refusal == .unauthorized(verdict))
    try scene.consent.setEnabled(true)
    #expect(client.drain().map(\.authorization) == [.whenInUse])
  }

  @Test func `a decision that the client knows from its call is not reported again`() throws {
    let client = try scene.open()
    client.update()
    scene.dialog.answer(.yes)
    #expect(client.signals.isEmpty)
    // The decision is reported to a session that requested nothing.
    let other = try scene.open(1001, on: ":1.2")
    try scene.decide(.whenInUse, 1001)
    #expect(other.signals.map(\.authorization) == [.whenInUse])
  }

  @Test func `a region replaces the session's own one and the configured one of the same identifier`() throws {
    let client = try scene.open()
    scene.monitoring.configured = ["door"]
    try scene.monitor("door", in: client)
    try scene.service.startMonitoring(configured: "door", in: client.session)
    #expect(client.session.regions == ["door"] && client.session.configuredRegions == ["door"] && scene.monitoring.monitored.isEmpty)
    try scene.monitor("door", in: client)
    #expect(client.session.regions == ["door"] && client.session.configuredRegions.isEmpty && scene.monitoring.monitored.count == 1)
    try scene.service.stopMonitoring("door", in: client.session)
    #expect(scene.monitoring.monitored.isEmpty)
    #expect(throws: SessionRefusal.notMonitoring("door")) { try scene.service.stopMonitoring("door", in: client.session) }
    #expect(throws: SessionRefusal.self) { try scene.service.startMonitoring(configured: "gate", in: client.session) }
  }

  @Test func `a device without a source of beacons refuses requests that would wait forever`() throws {
    let client = try scene.open()
    scene.monitoring.hearsBeacons = false
    #expect(throws: SessionRefusal.noBeaconSource) { try scene.service.startRanging(.beacon(1), in: client.session) }
    #expect(throws: SessionRefusal.noBeaconSource) { try scene.service.startScanning(in: client.session) }
    #expect(throws: SessionRefusal.noBeaconSource) { try scene.monitor("hall", in: client) }
    #expect(throws: SessionRefusal.invalidRegion("identifier is missing")) { try scene.service.region([:], in: client.session) }
    #expect(scene.uses.isEmpty)
  }

  @Test func `missing capabilities refuse a session that requires them, and each change is reported once`() throws {
    try scene.decide(.whenInUse)
    scene.monitoring.missing = [MissingCapability(.gps, "no receiver"), MissingCapability(.venue, "no venue")]
    let (client, other) = (try scene.open(requiring: [.gps]), try scene.open())
    #expect(client.update().refusal == .missingCapabilities([MissingCapability(.gps, "no receiver")]))
    #expect(other.update().value != nil)
    scene.monitoring.missing[0] = MissingCapability(.gps, "unplugged")
    scene.service.missingCapabilitiesChanged()
    #expect(client.signals.isEmpty)
    scene.monitoring.missing.removeFirst()
    scene.service.missingCapabilitiesChanged()
    #expect(client.drain() == [.missingCapabilitiesChanged([])] && other.signals.isEmpty)
    #expect(client.update().value != nil)
    scene.service.missingCapabilitiesChanged()
    #expect(client.signals.isEmpty)
  }

  @Test func `a call with refused capabilities asks no person`() throws {
    scene.monitoring.missing = [MissingCapability(.gps, "no receiver")]
    let client = try scene.open(requiring: [.gps])
    #expect(client.search().refusal == .missingCapabilities(scene.monitoring.missing) && scene.dialog.asked.isEmpty)
    #expect(throws: SessionRefusal.self) { try scene.service.requireCapabilities(of: client.session) }
  }
}
