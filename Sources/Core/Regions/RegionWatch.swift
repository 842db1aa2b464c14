import Events
import Instants

/// How one region stands, whatever marks it.
public enum RegionWatch: Sendable {
  case beacon(BeaconWatch)
  case circle(CircleWatch)

  public var region: Region {
    switch self {
    case .beacon(let watch): .beacon(watch.region)
    case .circle(let watch): .circle(watch.region)
    }
  }

  public var state: RegionState {
    switch self {
    case .beacon(let watch): watch.state
    case .circle(let watch): watch.state
    }
  }

  /// When the state last changed.
  public var since: Instant {
    switch self {
    case .beacon(let watch): watch.since
    case .circle(let watch): watch.since
    }
  }

  /// How often it was left or entered without need.
  public func flapping(at time: Instant) -> Flapping {
    switch self {
    case .beacon(let watch): watch.flapping(at: time)
    case .circle(let watch): watch.flapping(at: time)
    }
  }

  /// What there is to keep.
  ///
  /// - Parameters:
  ///   - now: the engine's.
  ///   - wallClock: turns the engine's instants into time since the Unix epoch.
  public func saved(at now: Instant, wallClock: (Instant) -> Instant) -> SavedRegion {
    switch self {
    case .beacon(let watch): watch.saved(at: now, wallClock: wallClock)
    case .circle(let watch): watch.saved(at: now, wallClock: wallClock)
    }
  }

  public var beacon: BeaconWatch? {
    if case .beacon(let watch) = self { watch } else { nil }
  }

  public var circle: CircleWatch? {
    if case .circle(let watch) = self { watch } else { nil }
  }
}
