import Events
import Instants

/// The current state of a monitored region, whatever marks it.
public enum RegionWatch: Sendable {
  case beacon(BeaconWatch)
  case circle(CircleWatch)
  case place(PlaceWatch)

  public var region: Region {
    switch self {
    case .beacon(let watch): .beacon(watch.region)
    case .circle(let watch): .circle(watch.region)
    case .place(let watch): .place(watch.region)
    }
  }

  public var state: RegionState {
    switch self {
    case .beacon(let watch): watch.state
    case .circle(let watch): watch.state
    case .place(let watch): watch.state
    }
  }

  /// The time of the last change of state.
  public var since: Instant {
    switch self {
    case .beacon(let watch): watch.since
    case .circle(let watch): watch.since
    case .place(let watch): watch.since
    }
  }

  /// Returns how often the region was left or entered needlessly.
  public func flapping(at time: Instant) -> Flapping {
    switch self {
    case .beacon(let watch): watch.flapping(at: time)
    case .circle(let watch): watch.flapping(at: time)
    case .place(let watch): watch.flapping(at: time)
    }
  }

  /// Returns the state to save.
  ///
  /// - Parameters:
  ///   - now: the engine's time.
  ///   - wallClock: converts the engine's instants into time since the Unix epoch.
  public func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    switch self {
    case .beacon(let watch): watch.saved(at: now, wallClock: wallClock)
    case .circle(let watch): watch.saved(at: now, wallClock: wallClock)
    case .place(let watch): watch.saved(at: now, wallClock: wallClock)
    }
  }

  public var beacon: BeaconWatch? {
    if case .beacon(let watch) = self { watch } else { nil }
  }

  public var circle: CircleWatch? {
    if case .circle(let watch) = self { watch } else { nil }
  }

  public var place: PlaceWatch? {
    if case .place(let watch) = self { watch } else { nil }
  }
}
