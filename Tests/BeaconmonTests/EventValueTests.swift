import Beaconmon
import Events
import Records
import TestSupport
import Testing

/// Compares the library's values of events with the definition of an event, so that no new field or cause is forgotten.
@Suite struct EventValueTests {
  private typealias ClientReason = Beaconmon.EventReason

  private func labels(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

  private let event = Event.of(["sequence": .count(1)])

  private func registered() throws -> RegisteredEvent {
    try #require(RegisteredEvent(details: ["sequence": 1, "event": "enter", "region": "hall", "time": 1, "journal": Self.journal]))
  }

  private static let journal = "0d7a9a3c-4d3c-4a0e-9e43-2f9c4d1b7a10"

  @Test func `the reason has every value of the evidence`() throws {
    #expect(labels(try registered().reason) == labels(event.reason))
  }

  @Test func `an event has every value that an app can receive, or a value made of it`() throws {
    // Values with another name or form in the library, and values of events that no region of an app has.
    let renamed: Set<String> = ["sequence", "journal", "region", "time"]
    let measured: Set<String> = ["rssi", "distance", "accuracy", "distanceMethod", "proximity"]
    let ofAppointments: Set<String> = ["appointment", "appointmentTime", "travelTime", "travelDistance"]
    let ofExpectedBeacons: Set<String> = ["ended", "battery", "temperature", "placeName", "placeID"]
    let ofAlerts: Set<String> = ["alert", "alertID", "site", "device", "text", "duration"]
    let ofDeliveries: Set<String> = ["firstSequence", "regionKind", "isClockSynchronised", "isDurable", "appID", "isTest"]
    let known = renamed.union(measured).union(ofAppointments).union(ofExpectedBeacons).union(ofAlerts).union(ofDeliveries)
    #expect(labels(event).subtracting(known) == labels(try registered()).subtracting(["id", "identifier", "date", "measurement"]))
    let measurement = BeaconMeasurement(rssi: nil, distance: nil, accuracy: nil, distanceMethod: nil, proximity: nil)
    #expect(labels(measurement) == measured)
  }

  @Test func `every cause of an event of a region or a beacon has a case`() {
    let ofOthers: Set<Event.Cause> = [.deadline, .unreadable, .missing, .test]
    for cause in Event.Cause.allCases {
      #expect((ClientReason.Cause(rawValue: cause.rawValue) == nil) == ofOthers.contains(cause), "\(cause)")
    }
  }
}
