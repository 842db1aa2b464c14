import Departures
import Instants
import Status
import Testing
import Venues

/// The status of appointments.
@Suite struct DepartureStatusTests {
  private static let gate = PlanPoint(x: 0, y: 200)

  @Test func `the status of a visitor at the place is an arrival without a time to leave, before advice as well`() {
    let scene = DepartureScene()
    scene.visitor = Self.gate
    scene.use([scene.appointment(in: .seconds(1800))])
    let status = scene.service.status.first
    #expect(status?.state == .arrived && status?.leaveIn == nil && status?.leaveTime == nil && status?.travelTime == nil)
    #expect(scene.texts.isEmpty)
  }

  @Test func `the status of a visitor who leaves the place again has a time to leave`() {
    let scene = DepartureScene()
    scene.visitor = Self.gate
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    #expect(scene.service.status.first?.state == .arrived)
    scene.visitor = PlanPoint(x: 0, y: 0)
    scene.run(until: appointment.id.start - .seconds(600))
    #expect(scene.service.status.first?.state == .waiting && scene.service.status.first?.leaveIn != nil)
  }

  @Test func `the status of an appointment is missed after the event miss, even after a restart`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(600))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(30))
    #expect(scene.texts.last?.hasPrefix("miss") == true && scene.service.status.first?.state == .missed)
    let next = DepartureScene(scene.file, at: scene.alarm.now)
    next.use([appointment])
    #expect(next.service.status.first?.state == .missed)
  }

  @Test func `the status of an appointment that has begun no longer advises to leave`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(600))
    scene.use([appointment])
    // The position is lost, and the last way counts for ten minutes.
    scene.run(until: appointment.id.start - .seconds(200))
    #expect(scene.service.status.first?.state == .depart)
    scene.alarm.now = appointment.id.start + .seconds(1)
    #expect(scene.service.status.first?.state == .begun && scene.service.status.first?.leaveIn == nil)
  }
}
