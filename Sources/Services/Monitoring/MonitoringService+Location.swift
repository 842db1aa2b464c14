import Instants
import LocationArbitration
import Locations
import Motion
import Positioning
import Proximity
import Regions

// MARK: Fixes for the circles

extension MonitoringService {
  /// Requests the accuracy that the smallest circle or venue without beacons needs.
  func locateForCircles() {
    let wanted = driver.wantedAccuracy.flatMap(DesiredAccuracy.init(metres:))
    guard wanted != circleAccuracy else { return }
    circleAccuracy = wanted
    if let wanted {
      positioning.listen(.engine, LocationRequest(accuracy: wanted))
    } else {
      positioning.end(.engine)
    }
  }

  /// Takes an output for the listener `engine`.
  public func take(_ output: Locator.Output) {
    switch output {
    case .update(_, let location): hold(location)
    // The engine's circles detect a fix that is too old, but do not count the time that the machine slept.
    case .unknown: if isClockKnown { dropOldFix(at: source.now) }
    case .stationary, .progress, .found: break
    }
  }

  /// Drops the fixed location of the previous config.
  public func forgetFixedPlace() {
    guard isClockKnown, driver.engine.lastFix?.isLasting == true || driver.gatingFix?.isLasting == true else { return }
    loseFixes(at: source.now)
  }

  /// Compares a fix with the circles.
  func hold(_ location: Location) {
    guard isClockKnown else { return }
    let now = source.now
    guard let fix = Fix(location, at: now - location.age(at: positioning.now)) else { return }
    dropOldFix(at: now)
    publish(driver.step(fix, at: now))
    demandChanged()
  }

  /// Lets a fix of another source than the indoor position decide which venues the device can be at.
  func gateVenues(_ location: Location) {
    guard isClockKnown, location.source != .indoor, driver.tracker != nil else { return }
    let now = source.now
    guard let fix = Fix(location, at: now - location.age(at: positioning.now)) else { return }
    publish(driver.step(gating: fix, at: now))
    source.wake = nextWake
  }

  /// Lets the indoor position follow the motion of the device from a time on.
  func follow(_ motion: DeviceMotion, at time: Instant) {
    guard isClockKnown, driver.motion != motion else { return }
    onMotion(motion, time)
    publish(driver.step(motion, at: time))
    source.wake = nextWake
  }

  /// Drops a fix that is too old: the engine's clock pauses while the machine sleeps, but the device may move.
  func dropOldFix(at time: Instant) {
    func isTooOld(_ fix: Fix?) -> Bool {
      guard let fix, !fix.isLasting else { return false }
      let slept = wallClock(time) - wallClock(fix.time) - (time - fix.time)
      return slept > CircularRegion.hold
    }
    if isTooOld(driver.engine.lastFix) { loseFixes(at: time) }
    guard isTooOld(driver.gatingFix) else { return }
    driver.openVenues()
    demandChanged()
  }

  private func loseFixes(at time: Instant) {
    driver.openVenues()
    driver.adjust { $0.loseFixes(at: time) }
    publish(driver.step([], through: time))
  }
}
