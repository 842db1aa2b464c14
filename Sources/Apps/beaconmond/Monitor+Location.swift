import Instants
import Locating
import Locations
import Proximity
import Regions

// MARK: Where the device is

extension Monitor {
  /// The engine's own number among those who ask.
  private static let engine: Locator.Listener = 0

  /// Circles want to know as exactly as the smallest of them needs.
  func locateForCircles() {
    let wanted = driver.engine.wantedAccuracy.flatMap(DesiredAccuracy.init(metres:))
    guard wanted != circleAccuracy else { return }
    circleAccuracy = wanted
    if let wanted {
      locationKeeper.listen(Self.engine, LocationRequest(accuracy: wanted))
    } else {
      locationKeeper.end(Self.engine)
    }
  }

  func take(_ output: Locator.Output) {
    switch output {
    case .update(Self.engine, let location): hold(location)
    // Its circles know themselves when a fix is too old, but not of the time in which the machine slept.
    case .unknown(Self.engine): if isClockKnown { dropOldFix(at: sightings.now) }
    default: tell(output)
    }
  }

  /// Nobody says any more that the device stands where the config before had it.
  func forgetFixedPlace() {
    guard isClockKnown, driver.engine.lastFix?.isLasting == true else { return }
    loseFixes(at: sightings.now)
  }

  /// Holds a fix against the circles.
  func hold(_ location: Location) {
    guard isClockKnown else { return }
    let now = sightings.now
    guard let fix = Fix(location, at: now - location.age(at: locationKeeper.now)) else { return }
    dropOldFix(at: now)
    follow(fix, at: now)
  }
}
