import Instants
import Locating
import Locations
import Positioning
import Proximity
import Regions

// MARK: Location

extension Monitor {
  /// The engine's own number among the location subscribers.
  private static let engine: Locator.Listener = 0

  /// Requests the accuracy that the smallest circle needs.
  func locateForCircles() {
    let wanted = driver.engine.wantedAccuracy.flatMap(DesiredAccuracy.init(metres:))
    guard wanted != circleAccuracy else { return }
    circleAccuracy = wanted
    if let wanted {
      positioning.listen(Self.engine, LocationRequest(accuracy: wanted))
    } else {
      positioning.end(Self.engine)
    }
  }

  func take(_ output: Locator.Output) {
    switch output {
    case .update(Self.engine, let location): hold(location)
    // The engine's circles detect a fix that is too old, but do not count the time that the machine slept.
    case .unknown(Self.engine): if isClockKnown { dropOldFix(at: sightings.now) }
    default: tell(output)
    }
  }

  /// Drops the fixed location of the previous config.
  func forgetFixedPlace() {
    guard isClockKnown, driver.engine.lastFix?.isLasting == true else { return }
    loseFixes(at: sightings.now)
  }

  /// Compares a fix with the circles.
  func hold(_ location: Location) {
    guard isClockKnown else { return }
    let now = sightings.now
    guard let fix = Fix(location, at: now - location.age(at: positioning.now)) else { return }
    dropOldFix(at: now)
    follow(fix, at: now)
  }
}
