import Locations

/// The parts that locate the device, by its configuration and the recording that it plays.
public struct LocationPlan: Hashable, Sendable {
  /// The content of a recording or a simulated venue, which replaces the radio of this machine.
  public enum Recording: Hashable, Sendable {
    case beacons
    /// Locations, with or without beacons.
    case locations
  }

  /// The clock on which fixes age.
  public enum Clock: Hashable, Sendable {
    case machine
    case recording
  }

  /// The sources of fixes.
  public enum Fixes: Hashable, Sendable {
    /// The receiver of the recording, because its locations belong to its beacons.
    case recorded
    /// The sources of `[location]`.
    case configured
  }

  public let fixes: Fixes
  /// Whether the position in venues is a source, too.
  public let hasIndoorPosition: Bool
  public let clock: Clock
  /// Whether the sensors of this machine show the motion of the located device. A recording was made elsewhere.
  public let usesMotionSensors: Bool
  /// Whether sources of `[location]` are not used, because the recording contains locations.
  public let leavesOutSources: Bool

  /// - Parameter recording: nil for the radio of this machine, or none.
  public init(_ configuration: Configuration, playing recording: Recording?) {
    fixes = recording == .locations ? .recorded : .configured
    hasIndoorPosition = configuration.hasIndoorPosition
    // The position by played beacons ages as fast as they play. Fixes of live sources have the clock of the machine.
    let playsPositions = recording == .beacons && hasIndoorPosition && configuration.location == LocationSettings()
    clock = fixes == .recorded || playsPositions ? .recording : .machine
    usesMotionSensors = recording == nil
    var others = configuration.location
    others.capture = nil
    leavesOutSources = fixes == .recorded && others != LocationSettings()
  }

  /// Returns whether the receivers of a changed configuration have the clock of the machine instead of that of the recording.
  func hasOtherClock(than location: LocationSettings) -> Bool {
    fixes == .configured && clock == .recording && location.hasLiveSource
  }
}

extension Configuration {
  /// Whether the position in venues is a location source. A receiver that never moves has a configured location instead.
  public var hasIndoorPosition: Bool { !venues.isEmpty && receiver == nil }
}
