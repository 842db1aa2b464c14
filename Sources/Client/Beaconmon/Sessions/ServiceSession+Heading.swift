internal import MonitorClient
import Synchronization

// MARK: Heading

extension ServiceSession {
  /// Returns the present heading and calibration as events for a new reader.
  func currentHeadingEvents() -> [SessionEvent] {
    state.withLock { state in
      let heading: [SessionEvent] = state.heading.map { [.heading($0)] } ?? []
      let calibration: [SessionEvent] = state.headingCalibration.map { [.headingCalibration($0)] } ?? []
      return heading + calibration
    }
  }

  /// Changes the heading request, and informs the service if necessary.
  func wantHeading(_ change: (inout HeadingSettings) -> Void) {
    state.withLock { state in
      let before = state.headingSettings.options
      change(&state.headingSettings)
      if let options = state.headingSettings.options {
        // A refused request is repeated.
        perform { $0.startHeading(options) }
      } else if before != nil {
        (state.heading, state.headingCalibration) = (nil, nil)
        perform { $0.stop(.heading) }
      }
    }
  }
}
