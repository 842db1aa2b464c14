import Beacons
import EventActions
import Events
import Instants
import Testing

/// The events of `beaconmon-notifier --test`.
@Suite struct TriggeredEventTests {
  private let time = Instant(microseconds: 1_800_000_000_000_000)

  private func event(_ trigger: Event.Kind, _ kind: RegionKind = .beacon) -> Event {
    Event.test(trigger, at: ("hall", kind), time: time)
  }

  @Test(arguments: Event.Kind.triggers)
  func `a test event triggers its action, and says that it is a test`(trigger: Event.Kind) {
    let event = event(trigger)
    #expect(EventAction(triggers: [trigger], targets: ["door"]).targets(for: event) == ["door"])
    #expect(EventAction(triggers: Set(Event.Kind.triggers).subtracting([trigger]), targets: ["door"]).targets(for: event) == [])
    #expect(event.isTest == true && event.sequence == 0 && event.time == time && event.reason.cause == .test)
  }

  @Test(
    arguments: [
      (.enter, .inside), (.exit, .outside), (.dwell, .inside), (.cross, .outside), (.state, .unknown),
    ] as [(Event.Kind, RegionState)])
  func `an event of a region has the state after it`(trigger: Event.Kind, state: RegionState) {
    let event = event(trigger)
    #expect(event.state == state && event.region == "hall" && event.regionKind == .beacon && event.proximity == .unknown)
    #expect(event.beacon == nil && event.appointment == nil && event.placeName == nil)
  }

  @Test func `an event of a circle has no proximity`() {
    let event = event(.enter, .circle)
    #expect(event.regionKind == .circle && event.proximity == nil)
  }

  @Test(arguments: [.depart, .hurry, .arrive, .miss] as [Event.Kind])
  func `an event of an appointment in ten minutes has no region`(trigger: Event.Kind) {
    let event = event(trigger)
    #expect(event.region == nil && event.regionKind == nil && event.state == nil && event.proximity == nil && event.beacon == nil)
    #expect(event.appointment == "Appointment" && event.placeName == "Place" && event.placeID == "place")
    #expect(event.appointmentTime == time + .seconds(600) && event.travelTime == .seconds(300))
  }

  @Test(arguments: [.beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered] as [Event.Kind])
  func `an event of an expected beacon has the beacon and no region`(trigger: Event.Kind) {
    let event = event(trigger)
    #expect(event.region == nil && event.regionKind == nil && event.state == nil && event.proximity == nil && event.appointment == nil)
    #expect(event.beacon?.major == 1 && event.beacon?.minor == 1 && event.placeName == "Place" && event.placeID == "place")
    #expect(event.ended == (trigger == .beaconRecovered ? .beaconMissing : nil))
  }
}
