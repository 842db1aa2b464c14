import Instants
import Status
import Testing

/// The appointments of `beaconmon status`.
@Suite struct AppointmentTextTests {
  private func line(_ state: AppointmentStatus.State, leaveIn: Span? = nil, travel: Span? = nil) -> String {
    var appointment = AppointmentStatus()
    (appointment.title, appointment.place, appointment.time) = ("Tour", "Lodestone", Instant(microseconds: 0))
    (appointment.state, appointment.leaveIn, appointment.travelTime) = (state, leaveIn, travel)
    let text = StatusTextTests().text { $0.appointments = [appointment] }
    return text.split(separator: "\n").first { $0.contains("agenda") }.map(String.init) ?? ""
  }

  @Test func `an appointment shows the time to leave until the visitor is there, and then its outcome`() {
    #expect(line(.waiting, leaveIn: .seconds(720), travel: .seconds(300)).hasSuffix(", leave in 12 min (5 min on foot)"))
    #expect(line(.waiting, leaveIn: .zero, travel: .seconds(300)).hasSuffix(", leave now (5 min on foot)"))
    #expect(line(.depart, travel: .seconds(300)).hasSuffix(", leave now (5 min on foot)"))
    #expect(line(.arrived).hasSuffix(", you have arrived"))
    #expect(line(.begun).hasSuffix(", it has begun"))
    #expect(line(.missed).hasSuffix(", missed: you were elsewhere at the beginning"))
    #expect(line(.unknown).hasSuffix(", it is unknown whether you arrived"))
    #expect(line(.past) == "")
  }
}
