import ClientSessions
import Consent
import ConsentService
import Departures
import Events
import Instants
import TestSupport
import Testing

/// Appointments of sessions, and the advice for them.
@Suite struct AppointmentSessionTests {
  private let scene = SessionScene()

  private func appointment(_ second: Int) -> PlannedAppointment {
    PlannedAppointment(id: .init(venue: "gallery", place: "desk", start: Instant(microseconds: Int64(second) * 1_000_000)))
  }

  @discardableResult private func add(_ second: Int, to client: SessionScene.Client) throws -> String {
    let identifier = try scene.service.appointments.add(appointment(second), to: client.session)
    scene.service.appointments.advise(appointment(second), in: client.session)
    return identifier
  }

  @Test func `advice goes to the session of the appointment alone`() throws {
    let (client, other) = (try scene.open(), try scene.open())
    let identifier = try add(100, to: client)
    #expect(identifier == appointment(100).id.text && scene.uses == [true])
    let advice = Event(sequence: 0, kind: .depart)
    scene.service.appointments.send(advice, identifier, to: client.session.number)
    scene.service.appointments.send(advice, identifier, to: other.session.number)
    #expect(client.signals == [.appointmentEvent(advice, identifier)] && other.signals.isEmpty)
  }

  @Test func `a session has at most 16 appointments, of which past ones make room`() throws {
    let client = try scene.open()
    for second in 0..<16 { try add(100 + second, to: client) }
    let refusal = SessionRefusal.limitsExceeded("this session already has 16 appointments; remove one")
    #expect(throws: refusal) { try add(200, to: client) }
    // One at the same place and time is replaced.
    try add(107, to: client)
    scene.departures.now = Instant(microseconds: 101_000_000)
    try add(200, to: client)
    #expect(scene.departures.appointments[client.session.number]?.count == 16)
    #expect(throws: refusal) { try add(201, to: client) }
    try scene.service.appointments.remove(appointment(105).id.text, of: client.session)
    try add(201, to: client)
  }

  @Test func `a removed appointment is unknown, like that of another session`() throws {
    let (client, other) = (try scene.open(), try scene.open())
    let identifier = try add(100, to: client)
    #expect(throws: SessionRefusal.noSuchAppointment(identifier)) {
      try scene.service.appointments.remove(identifier, of: other.session)
    }
    try scene.service.appointments.remove(identifier, of: client.session)
    #expect(throws: SessionRefusal.noSuchAppointment(identifier)) {
      try scene.service.appointments.remove(identifier, of: client.session)
    }
    #expect(scene.departures.appointments[client.session.number] == [])
    scene.service.appointments.send(Event(sequence: 0, kind: .depart), identifier, to: client.session.number)
    #expect(client.signals.isEmpty)
  }

  @Test func `appointments pause without consent, and end with the session`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    try add(100, to: client)
    try scene.decide(.denied)
    #expect(scene.departures.suspended == [client.session.number])
    try scene.decide(.whenInUse)
    #expect(scene.departures.suspended.isEmpty && scene.departures.appointments[client.session.number]?.count == 1)
    client.close()
    #expect(scene.departures.appointments.isEmpty)
  }

  @Test func `appointments continue when the answer to a call of their session permits the use again`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    try add(100, to: client)
    try scene.decide(nil)
    #expect(scene.departures.suspended == [client.session.number])
    scene.service.permit(.whenInUse, client.session) { [service = scene.service] _ in
      #expect(throws: Never.self) { try service.startScanning(in: client.session) }
    }
    scene.dialog.answer(.yes)
    #expect(client.session.isScanning && scene.departures.suspended.isEmpty)
  }

  @Test func `a time in the past and a name that is not that of one place are refused`() throws {
    scene.departures.now = Instant(microseconds: 10)
    let appointments = scene.service.appointments
    #expect(throws: SessionRefusal.invalidAppointment("time 5 is in the past")) { try appointments.start(5) }
    #expect(try appointments.start(10) == Instant(microseconds: 10))
    #expect(throws: SessionRefusal.ambiguousPlace("gate", ["north/gate", "south/gate"])) { try appointments.place("gate", venue: nil) }
    #expect(throws: SessionRefusal.noSuchPlace("roof")) { try appointments.place("roof", venue: nil) }
    #expect(
      SessionRefusal.ambiguousPlace("gate", ["north/gate", "south/gate"]).text
        == "several places have the name \"gate\" (north/gate, south/gate); use the id of one, and venue")
  }
}
