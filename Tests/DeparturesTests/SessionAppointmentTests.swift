import Departures
import Events
import Geodesy
import Instants
import LocationArbitration
import Locations
import Status
import Testing
import Venues
import Wayfinding

/// Appointments of sessions.
@Suite struct SessionAppointmentTests {
  @Test func `an appointment of a session that is corrected keeps its stage`() {
    let scene = DepartureScene()
    scene.use([])
    var appointment = scene.appointment(in: .seconds(440))
    #expect(scene.service.add(appointment, of: 7))
    scene.answer()
    #expect(scene.texts.count == 1)
    appointment.title = LocalizedText("Flight BM 12")
    #expect(scene.service.add(appointment, of: 7))
    scene.answer()
    #expect(scene.texts.count == 1)
  }

  @Test func `a session has a limited number of appointments, which end with it and are not stored`() {
    let scene = DepartureScene()
    scene.use([])
    var accepted = 0
    for number in 0..<20 where scene.service.add(scene.appointment(in: .seconds(Double(100 + number))), of: 7) { accepted += 1 }
    scene.answer()
    #expect(accepted == DepartureService.mostOfSession && scene.advice.count == accepted)
    #expect(scene.advice.allSatisfy { $0.owner == .session(7) } && scene.file.stored.isEmpty && scene.service.status.isEmpty)
    #expect(scene.service.remove(scene.appointment(in: .seconds(100)).id, of: 7))
    #expect(!scene.service.remove(scene.appointment(in: .seconds(100)).id, of: 8))
    scene.service.removeAll(of: 7)
    #expect(scene.alarm.due == .never)
  }

  @Test func `a session without consent gets no advice, and gets the due advice once when consent returns`() {
    let scene = DepartureScene()
    scene.use([])
    let appointment = scene.appointment(in: .seconds(500))
    #expect(scene.service.add(appointment, of: 1))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"))
    scene.service.suspend(1)
    #expect(scene.alarm.due == .never && !scene.locations.isSearching)
    scene.run(until: appointment.id.start - .seconds(100))
    #expect(scene.texts.count == 1)
    scene.service.resume(1)
    scene.answer()
    #expect(scene.texts.dropFirst() == ["hurry 100"], "\(scene.texts)")
    scene.service.suspend(1)
    #expect(scene.service.remove(appointment.id, of: 1))
    scene.service.resume(1)
    #expect(scene.alarm.due == .never)
  }

  @Test func `the search ends when consent is revoked`() {
    let scene = DepartureScene()
    scene.use([])
    #expect(scene.service.add(scene.appointment(in: .seconds(500)), of: 1))
    #expect(scene.locations.isSearching)
    scene.service.suspend(1)
    #expect(!scene.locations.isSearching)
  }

  @Test func `a session at its limit may replace past appointments`() {
    let scene = DepartureScene()
    scene.use([])
    let appointments = (0..<DepartureService.mostOfSession).map { scene.appointment(in: .seconds(600 + Double($0))) }
    for appointment in appointments { #expect(scene.service.add(appointment, of: 1)) }
    #expect(!scene.service.add(scene.appointment(in: .seconds(7200)), of: 1))
    scene.alarm.set(scene.alarm.now + .seconds(3600))
    #expect(scene.service.removePast(of: 1).isEmpty)
    #expect(scene.service.add(scene.appointment(in: .seconds(7200)), of: 1))
  }

  @Test func `a beginning in the past or beyond all calendars is refused with the value, the clock and the unit`() {
    let scene = DepartureScene()
    #expect(
      scene.service.refusal(ofStart: 5)
        == "time 5 is in the past: 1970-01-01T00:00:00Z, and the daemon's clock is 2027-01-15T08:00:00Z; "
        + "it is the beginning in microseconds since the Unix epoch")
    let now = UInt64(scene.alarm.now.microseconds)
    #expect(scene.service.refusal(ofStart: now - 1) != nil && scene.service.refusal(ofStart: now) == nil)
    // Nanoseconds instead of microseconds.
    #expect(scene.service.refusal(ofStart: now * 1000)?.contains("is after the year 9999") == true)
    #expect(scene.service.refusal(ofStart: .max) != nil)
  }
}
