import TestSupport
import ConsentService
import ClientSessions
import Consent
import Instants
import LocationArbitration
import Locations
import Testing

/// Updates and searches of sessions while decisions change.
@Suite struct LocationConsentTests {
  private let scene = SessionScene()

  @Test func `the answer to a start comes before a known location`() throws {
    try scene.decide(.whenInUse)
    let first = try scene.open()
    first.update()
    try scene.fix(10)
    let client = try scene.open()
    let call = client.update()
    #expect(call.value != nil && call.early == 0)
    #expect(client.signals.map(\.latitude) == [10])
  }

  @Test func `updates end when consent is revoked, and then carry only the location that the user states`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    try scene.fix(10)
    #expect(client.drain().map(\.latitude) == [10])
    try scene.decide(.denied)
    #expect(client.drain().map(\.authorization) == [.denied])
    #expect(!scene.source.isOn && client.dropCount == 1)
    #expect(scene.uses == [false])
    try scene.fix(11)
    #expect(client.signals.isEmpty)
    client.session.manualLocation = try scene.manual(50)
    scene.service.locations.reportManual(client.session)
    #expect(client.drain().map(\.latitude) == [50])
    // The client has to request the location of the device again.
    try scene.decide(.whenInUse)
    #expect(client.drain().map(\.authorization) == [.whenInUse])
    scene.service.locations.reportManual(client.session)
    #expect(client.signals.isEmpty && !scene.source.isOn)
    client.update()
    try scene.fix(12)
    #expect(client.signals.last?.latitude == 12)
  }

  @Test func `a stated location follows the report that consent is revoked`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.session.manualLocation = try scene.manual(50)
    client.update()
    try scene.fix(10)
    _ = client.drain()
    try scene.decide(.denied)
    #expect(client.signals.map(\.authorization) == [.denied, nil] && client.signals.map(\.latitude) == [nil, 50])
  }

  @Test func `consent of another user changes nothing`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    try scene.decide(.denied, 1001)
    try scene.fix(10)
    #expect(client.signals.map(\.latitude) == [10])
  }

  @Test func `a search is refused in the middle when consent is revoked, and answered once`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    let call = client.search(within: 0.01)
    try scene.fix(10, accuracy: 30)
    #expect(call.isWaiting && client.drain().map(\.latitude) == [10])
    try scene.decide(.denied)
    #expect(call.refusal == scene.denial())
    try scene.fix(11, accuracy: 0.001)
    scene.scheduler.advance(by: .seconds(60))
    #expect(call.results.count == 1 && !scene.source.isOn)
  }

  @Test func `a found location whose address is looked up is refused when consent is revoked`() throws {
    scene.monitoring.lookUps = []
    try scene.decide(.whenInUse)
    let client = try scene.open()
    let call = client.search()
    try scene.fix(10)
    scene.scheduler.advance(by: .seconds(60))
    #expect(call.isWaiting && scene.monitoring.lookUps?.count == 1)
    try scene.decide(.denied)
    #expect(call.refusal == scene.denial())
    scene.monitoring.lookUps?[0]()
    #expect(call.results.count == 1)
  }

  @Test func `a session without consent receives only the location that its user states, without the owner's places`() throws {
    try scene.decide(.denied)
    let client = try scene.open()
    #expect(client.update().refusal == scene.denial() && client.search().refusal == scene.denial())
    client.session.manualLocation = try scene.manual(50)
    #expect(client.update(locale: "de").value != nil)
    #expect(client.drain().map(\.latitude) == [50])
    #expect(client.search().value?.latitude == 50)
    #expect(scene.monitoring.reports.map(\.isHidden) == [true] && scene.monitoring.reports[0].locale == "de")
    #expect(!scene.source.isOn && scene.uses.isEmpty)
    // Its updates can be stopped, and end then.
    try scene.service.locations.stop(client.session)
    scene.service.locations.reportManual(client.session)
    #expect(client.signals.isEmpty)
    // A stop succeeds without updates while a location is stated, and with updates when it is no longer stated.
    try scene.service.locations.stop(client.session)
    client.update()
    client.session.manualLocation = nil
    try scene.service.locations.stop(client.session)
    #expect(throws: SessionRefusal.notUpdatingLocation) { try scene.service.locations.stop(client.session) }
  }

  @Test func `a session with consent receives the location of the device, and the stated one only while that is unknown`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.session.manualLocation = try scene.manual(50)
    client.update()
    scene.service.locations.reportManual(client.session)
    #expect(client.drain().map(\.latitude) == [50])
    try scene.fix(10)
    scene.service.locations.reportManual(client.session)
    #expect(client.drain().map(\.latitude) == [10])
    // A search that finds nothing has the stated location as well.
    scene.source.report(.gone)
    scene.scheduler.advance(by: .seconds(60))
    let call = client.search(timeout: .seconds(5))
    scene.scheduler.advance(by: .seconds(6))
    #expect(call.value?.latitude == 50)
    #expect(scene.monitoring.reports.last?.isHidden == true)
  }

  @Test func `a session that ends while a person decides is refused, and uses nothing`() throws {
    let client = try scene.open()
    let (update, search) = (client.update(), client.search())
    #expect(scene.dialog.asked.map(\.busName) == [":1.1"] && update.isWaiting)
    client.close()
    #expect(update.isWaiting)
    scene.dialog.answer(.yes)
    #expect(update.refusal == .ended("/session") && search.refusal == .ended("/session"))
    #expect(!scene.source.isOn && scene.uses.isEmpty && client.signals.isEmpty)
  }

  @Test func `a person is asked once, and the updates begin with the decision`() throws {
    let client = try scene.open()
    let call = client.update()
    #expect(call.isWaiting && !scene.source.isOn)
    scene.dialog.answer(.yes)
    #expect(call.value != nil && scene.source.isOn && client.signals.isEmpty)
    #expect(client.update().value != nil && scene.dialog.asked.count == 1)
  }

  @Test func `a denied person is not asked, and a permission for use is extended by a question`() throws {
    try scene.decide(.denied)
    let client = try scene.open()
    #expect(client.permit().refusal == scene.denial() && scene.dialog.asked.isEmpty)
    try scene.decide(.whenInUse)
    #expect(client.permit().value != nil && scene.dialog.asked.isEmpty)
    let call = client.permit(.always)
    #expect(call.isWaiting && scene.dialog.asked.map(\.question) == [.always])
    scene.dialog.answer(.no)
    #expect(call.refusal == .unauthorized(scene.consent.verdict(for: Person(SessionScene.alice))))
    #expect(throws: SessionRefusal.self) { try scene.service.requireAuthorization(.always, of: client.session) }
  }
}
