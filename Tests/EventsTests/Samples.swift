import Beacons
import Events
import Instants

enum Samples {
  static let time = Instant(microseconds: 1_581_252_284_779_766)

  /// Returns an event with a value for every key, which no daemon would send.
  static func event() throws -> Event {
    var reason = Event.Reason(.silence)
    (reason.lastSeen, reason.lastSeenAge, reason.samples, reason.threshold) = (time, 0.5, 13, 3)
    (reason.exitDelay, reason.hold, reason.dwell, reason.adapter) = (.seconds(30), .seconds(20), .seconds(120), "hci0")
    (reason.fixTime, reason.fixAge, reason.probability) = (time, 0.25, 0.87)
    (reason.longestGap, reason.usualRSSI, reason.otherRSSI, reason.displacement) = (.seconds(95), -60.5, -80.5, 12.5)
    var event = Event(sequence: 2, kind: .exit, region: "hall", regionKind: .circle, time: time, state: .outside, reason: reason)
    event.firstSequence = 1
    event.beacon = Event.Beacon(BeaconIdentity(uuid: try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d"), major: 1, minor: 11))
    (event.rssi, event.distance, event.accuracy, event.proximity) = (-65.25, 2.07, 1.24, .near)
    event.distanceMethod = .bayesian
    (event.placeName, event.placeID) = ("Lodestone", "lodestone")
    (event.floor, event.levelName) = (-1, "Basement")
    event.location = Event.Location(latitude: 48.1, longitude: 11.5)
    event.location?.horizontalAccuracy = 8
    event.location?.speed = 1.25
    (event.appointment, event.appointmentTime, event.travelTime, event.travelDistance) = ("Tour", time, .seconds(90), 120.5)
    (event.ended, event.battery, event.temperature) = (.beaconMissing, 2.95, 21.5)
    (event.alert, event.alertID, event.site, event.device) = (.deviceSilent, 7, "berlin", "door")
    (event.text, event.duration) = ("no message", .seconds(1020))
    (event.boundaryDistance, event.isClockSynchronised) = (-35.2, false)
    (event.journal, event.isDurable, event.appID, event.isTest) = ("3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11", true, "org.example.App", true)
    return event
  }
}
