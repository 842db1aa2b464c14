import ClientSessions
import Consent
import Headings
import Locations
import TestSupport
import Testing

@testable import Orientation

/// Headings of sessions.
@Suite struct HeadingSessionTests {
  private let scene = SessionScene()

  @Test func `updates go to the session that started them, until it stops`() throws {
    try scene.decide(.whenInUse)
    let (client, other) = (try scene.open(), try scene.open())
    let subscriptions = scene.service.headings
    subscriptions.start(HeadingRequest(filter: 5), in: client.session)
    let number = HeadingService.Client.session(client.session.number)
    #expect(scene.headings.requests[number]?.filter == 5 && scene.uses == [true])
    let failure = HeadingFailure(reason: .disturbed, message: "a magnet")
    let calibration = CalibrationStatus(isNeeded: true, progress: 0, covered: [])
    subscriptions.take(.update(number, HeadingUpdate()))
    subscriptions.take(.failed(number, failure))
    subscriptions.take(.calibration(number, calibration))
    subscriptions.take(.update(.session(other.session.number), HeadingUpdate()))
    #expect(client.drain() == [.headingUpdated(HeadingUpdate()), .headingFailed(failure), .calibrationNeeded(calibration)])
    #expect(other.signals.isEmpty)
    // Another start changes the options.
    subscriptions.start(HeadingRequest(filter: 10), in: client.session)
    #expect(scene.headings.requests.mapValues(\.filter) == [number: 10])
    try subscriptions.dismissCalibration(client.session)
    #expect(scene.headings.dismissed == [number])
    try subscriptions.stop(client.session)
    #expect(scene.headings.requests.isEmpty && client.dropped == [.heading])
    #expect(throws: SessionRefusal.notUpdatingHeading) { try subscriptions.stop(client.session) }
    #expect(throws: SessionRefusal.notUpdatingHeading) { try subscriptions.dismissCalibration(client.session) }
  }

  @Test func `updates end with consent and with the session`() throws {
    try scene.decide(.whenInUse)
    for isRevoked in [true, false] {
      let client = try scene.open()
      scene.service.headings.start(HeadingRequest(), in: client.session)
      if isRevoked { try scene.decide(.denied) } else { client.close() }
      #expect(scene.headings.requests.isEmpty)
      scene.service.headings.take(.update(.session(client.session.number), HeadingUpdate()))
      #expect(client.signals.map(\.authorization) == (isRevoked ? [.denied] : []))
      try scene.decide(.whenInUse)
    }
  }

  @Test func `a device without a source of headings refuses requests, and a new source is announced`() throws {
    let client = try scene.open()
    scene.headings.requestObstacle = "this device has no compass"
    #expect(throws: SessionRefusal.noHeadingSource("this device has no compass")) { try scene.service.headings.requireSource() }
    (scene.headings.requestObstacle, scene.headings.isAvailable) = (nil, true)
    try scene.service.headings.requireSource()
    scene.service.sourcesChanged()
    #expect(client.signals == [.capabilitiesChanged(scene.service.capabilities)])
    #expect(scene.service.capabilities.last == "heading")
  }
}
