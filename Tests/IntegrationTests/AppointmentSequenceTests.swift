import Beaconmon
import Foundation
import TestSupport
import Testing

/// Appointments through the Swift library.
@Suite(.serialized, .ownThread) struct AppointmentSequenceTests {
  /// Seconds of the capture.
  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6 + seconds) }

  @Test func `a program gets advice for its appointments once, even if the daemon restarts, and a refusal with its reason`()
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
    #expect(try add(-60).name == "\(BusClient.busName).Error.InvalidOptions")
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
