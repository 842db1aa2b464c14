import Beacons

/// A continuous request with its options, as a session repeats it to each daemon.
enum SessionTask: Hashable {
  case ranging(BeaconConstraint)
  case monitoring(RequestedRegion)
  case locating(LocationUpdateOptions)
  case heading(HeadingOptions)
  case guiding(GuidanceOptions)
  /// An appointment, and the name of the program for it.
  case appointment(String, AppointmentOptions)

  /// The request without its options, by which it is found, stopped and reported.
  var request: SessionRequest {
    switch self {
    case .ranging(let constraint): .ranging(constraint)
    case .monitoring(let region): .monitoring(region.identifier)
    case .locating: .locating
    case .heading: .heading
    case .guiding: .guiding
    case .appointment(let key, _): .appointment(key)
    }
  }
}
