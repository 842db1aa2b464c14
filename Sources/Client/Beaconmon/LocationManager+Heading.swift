internal import MonitorClient

// MARK: Heading

extension LocationManager {
  /// Whether the device has a source of headings; false until the service was reached.
  public var headingAvailable: Bool { capabilities?.contains(.heading) ?? false }

  /// The degrees by which a heading must differ from the last delivered one, 0...180; nil delivers every heading.
  ///
  /// A change takes effect at once.
  public var headingFilter: Double? {
    get { session.read(\.headingSettings.filter) }
    set { session.wantHeading { $0.filter = newValue } }
  }

  /// The edge of the device that points forward; nil for that of the service's config. A change takes effect at once.
  public var headingOrientation: DeviceOrientation? {
    get { session.read(\.headingSettings.orientation) }
    set { session.wantHeading { $0.orientation = newValue } }
  }

  /// Whether the course replaces the heading while the device travels in a vehicle; `Heading.kind` says which it is.
  public var headingFollowsTravel: Bool {
    get { session.read(\.headingSettings.followsTravel) }
    set { session.wantHeading { $0.followsTravel = newValue } }
  }

  /// Starts delivery of headings to the delegate: a known heading at once, and then each that passes the filter.
  public func startUpdatingHeading() {
    session.wantHeading { $0.isUpdating = true }
    // If a sequence has updates on already, a device at rest sends no event for this call.
    for event in session.currentHeadingEvents() { dispatcher.take(event) }
  }

  public func stopUpdatingHeading() { session.wantHeading { $0.isUpdating = false } }

  /// The last heading that this manager received; nil without a present one.
  public var heading: Heading? { session.read(\.heading) }

  /// The calibration of the magnetometer; nil while none is needed.
  public var headingCalibration: HeadingCalibration? { session.read(\.headingCalibration) }

  /// Ends the present need of a calibration, until the next one.
  public func dismissHeadingCalibrationDisplay() { session.perform { $0.dismissHeadingCalibration() } }

  /// The device's headings during iteration, according to `headingFilter` and `headingOrientation`.
  ///
  /// A known heading comes at once, and a slow task gets only the latest. The sequence throws when the service refuses, and waits
  /// while the service is unavailable.
  public var headingUpdates: UpdateSequence<HeadingChange, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let known = session.currentHeadingEvents()
        let subscription = Subscription(session, knowing: known, onEnd: { $0.wantHeading { $0.sequences -= 1 } }) { event in
          switch event {
          case .heading, .headingFailed, .headingRefused, .headingCalibration: true
          default: false
          }
        }
        session.wantHeading { $0.sequences += 1 }
        return subscription
      },
      decode: { event in
        switch event {
        case .heading(let heading): .success(.heading(heading))
        case .headingFailed(let error): .success(.failed(error))
        case .headingRefused(let error): .failure(error)
        case .headingCalibration(let calibration): .success(.calibration(calibration))
        default: nil
        }
      })
  }
}

/// An element of `LocationManager.headingUpdates`.
public enum HeadingChange: Hashable, Sendable {
  case heading(Heading)
  /// A magnet is near the device, or the sensor has failed. A heading follows when that is over.
  case failed(LocationError)
  /// The device has to be turned, or was turned enough.
  case calibration(HeadingCalibration)
}
