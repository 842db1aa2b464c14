import Beacons
import Events
import Instants

extension Event {
  /// Returns an event that triggers an action, like the daemon's except for its number, its cause and `test`.
  ///
  /// - Parameters:
  ///   - kind: One of `Event.Kind.triggers`.
  ///   - region: The region of the event, unless the kind concerns an appointment or an expected beacon.
  ///   - time: The time since the Unix epoch.
  public static func test(_ kind: Event.Kind, at region: (identifier: String, kind: RegionKind), time: Instant) -> Event {
    let isOfRegion = !kind.isOfBeacon && !kind.isOfAppointment
    var event = Event(
      sequence: 0, kind: kind, region: isOfRegion ? region.identifier : nil, regionKind: isOfRegion ? region.kind : nil, time: time,
      state: kind.stateOfTest, reason: Event.Reason(.test))
    event.isTest = true
    if kind.isOfBeacon {
      event.beacon = Event.Beacon(BeaconIdentity(uuid: BeaconUUID(high: 0, low: 0), major: 1, minor: 1))
      (event.placeName, event.placeID) = ("Place", "place")
      if kind == .beaconRecovered { event.ended = .beaconMissing }
    } else if kind.isOfAppointment {
      (event.appointment, event.placeName, event.placeID) = ("Appointment", "Place", "place")
      (event.appointmentTime, event.travelTime) = (time + .seconds(600), .seconds(300))
    } else if region.kind == .beacon {
      event.proximity = .unknown
    }
    return event
  }

  /// Returns an alert of a fleet for a test of targets.
  ///
  /// - Parameter time: The time since the Unix epoch.
  public static func alertTest(time: Instant) -> Event {
    var event = Event(sequence: 0, kind: .alert, time: time, reason: Event.Reason(.test))
    (event.alert, event.alertID, event.site, event.device) = (.deviceSilent, 0, "site", "device")
    (event.text, event.isTest) = ("this is a test of the targets of alerts", true)
    return event
  }
}

extension Event.Kind {
  /// The state of the region after a test event of this kind; nil for an event at no region.
  fileprivate var stateOfTest: RegionState? {
    switch self {
    case .enter, .dwell: .inside
    case .exit, .cross: .outside
    case .state: .unknown
    case .depart, .hurry, .arrive, .miss, .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate, .beaconRecovered: nil
    case .alert, .alertEnded, .damaged: nil
    }
  }
}
