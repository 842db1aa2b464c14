import Locations

/// The parts of the daemon that a changed configuration replaces; every other part keeps its state.
public struct ReloadPlan: Hashable, Sendable {
  /// Whether other location sources replace the present ones.
  public var replacesLocationSources = false
  /// Whether a fixed place of the former location sources no longer counts.
  public var forgetsFixedPlace = false
  /// Whether the orientation of the device, or the sign of its accelerometers, may have changed.
  public var changesOrientation = false
  /// Whether other sources of headings replace the present ones.
  public var replacesHeadingSources = false
  /// The changes that have no effect before a restart, each as a sentence for the log.
  public var restarts: [String] = []

  public init() {}
}

/// The settings in use, of which some stay until a restart.
public struct SettingsInForce: Sendable {
  /// The settings that no reload changes.
  private struct Permanent: Hashable {
    let source: Source?
    let captureSpeed: Double?
    let walk: RecordedWalk?
    let journal: JournalSettings

    init(_ configuration: Configuration, hasOwnSpeed: Bool) {
      (source, journal, walk) = (configuration.source, configuration.journal, configuration.location.capture)
      captureSpeed = hasOwnSpeed ? nil : configuration.captureSpeed
    }
  }

  private let hasOwnSpeed: Bool
  private let locating: LocationPlan
  private let started: Permanent
  private var current: Permanent
  /// The settings of the present location sources.
  private var located: LocationSettings
  private var hasIndoorPosition: Bool
  private var oriented: HeadingSettings
  /// Whether the receivers of the last configuration have another clock than the present sources.
  private var hasOtherClock = false

  /// - Parameters:
  ///   - started: the configuration of the start, with the source of the command line.
  ///   - hasOwnSpeed: whether the command line sets the speed of a capture.
  ///   - locating: the parts that locate the device since the start.
  public init(_ started: Configuration, hasOwnSpeed: Bool, _ locating: LocationPlan) {
    (self.hasOwnSpeed, self.locating) = (hasOwnSpeed, locating)
    self.started = Permanent(started, hasOwnSpeed: hasOwnSpeed)
    current = self.started
    (located, hasIndoorPosition, oriented) = (started.location, started.hasIndoorPosition, started.heading)
  }

  /// Whether the last configuration has changes that require a restart.
  public var needsRestart: Bool { current != started || hasOtherClock }

  /// Adopts a changed configuration, and returns the parts that it replaces.
  public mutating func adopt(_ configuration: Configuration) -> ReloadPlan {
    var plan = ReloadPlan()
    let hasOtherSources = located != configuration.location || hasIndoorPosition != configuration.hasIndoorPosition
    hasOtherClock = locating.hasOtherClock(than: configuration.location)
    if hasOtherSources, locating.fixes == .configured, !hasOtherClock, configuration.location.capture == nil {
      (located, hasIndoorPosition) = (configuration.location, configuration.hasIndoorPosition)
      plan.replacesLocationSources = true
      plan.forgetsFixedPlace = located.fixed == nil
    }
    plan.changesOrientation = oriented != configuration.heading
    // The sources do not know how the device is mounted.
    oriented.mountAngle = configuration.heading.mountAngle
    plan.replacesHeadingSources = oriented != configuration.heading
    oriented = configuration.heading
    current = Permanent(configuration, hasOwnSpeed: hasOwnSpeed)
    plan.restarts = restarts
    if hasOtherClock { plan.restarts.append("receivers of [location] require a restart while a recording plays") }
    return plan
  }

  private var restarts: [String] {
    var restarts: [String] = []
    let playsTheSame = started.source == current.source && started.captureSpeed == current.captureSpeed && started.walk == current.walk
    if !playsTheSame { restarts.append("changes to source, capture-speed and [location.capture] require a restart") }
    if started.journal != current.journal { restarts.append("changes to [journal] require a restart") }
    return restarts
  }
}
