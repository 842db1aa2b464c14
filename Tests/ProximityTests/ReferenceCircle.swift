import Events
import Geodesy
import Instants
import Regions

/// A reference of the rules of circles, second by second: slow, and only from the documents.
///
/// It compares every fix with its circle by the geodesic. All times are whole seconds.
struct ReferenceCircle {
  struct Event: Equatable {
    let time: Int
    let kind: Events.Event.Kind
    let state: RegionState
    let cause: Events.Event.Cause
  }

  private(set) var region: CircularRegion
  private(set) var state: RegionState
  private(set) var events: [Event] = []
  private var certain: RegionState?
  /// The seconds for which fixes have been inside, or outside.
  private var insideFor: Int?
  private var outsideFor: Int?
  /// The seconds since the last sufficiently accurate fix; nil before the first.
  private var fixAge: Int?
  private var last: (fix: Fix, time: Int)?
  /// The seconds of the visit; nil before it is certain.
  private var stayed: Int?
  private var hasToldOfStay = false

  init(_ region: CircularRegion) {
    self.region = region
    state = region.assumed
  }

  private var radius: Double { region.circle.radius }
  private var baseline: RegionState { certain ?? region.assumed }

  mutating func pass(to time: Int) {
    if state == .inside, let stay = stayed { stayed = stay + 1 }
    if let held = insideFor { insideFor = held + 1 }
    if let held = outsideFor { outsideFor = held + 1 }
    if let age = fixAge { fixAge = age + 1 }
    if insideFor == 20 {
      insideFor = nil
      change(to: .inside, at: time, .approach)
      (stayed, hasToldOfStay) = (0, false)
    } else if outsideFor == 20 {
      outsideFor = nil
      change(to: .outside, at: time, .departure)
      stayed = nil
    } else if state == .inside, let dwell = region.dwell, let stay = stayed, stay >= Int(dwell.seconds), !hasToldOfStay {
      hasToldOfStay = true
      events.append(Event(time: time, kind: .dwell, state: .inside, cause: .stay))
    }
    if fixAge == 300 {
      fixAge = nil
      forgetFixes(at: time)
    }
  }

  mutating func locate(_ fix: Fix, at time: Int) {
    defer { last = (fix, time) }
    guard fix.accuracy <= radius else { return }
    fixAge = 0
    let (distance, accuracy) = (Geodesic(from: region.circle.center, to: fix.place).distance, min(fix.accuracy, radius / 2))
    let crossed = state == .outside && certain == .outside && insideFor == nil && isCrossed(to: fix, at: time, by: distance)
    if distance + accuracy < radius {
      outsideFor = nil
      baseline == .inside ? settle(.inside, at: time) : (insideFor = insideFor ?? 0)
    } else if distance - accuracy > radius + max(20, 0.1 * radius) {
      insideFor = nil
      baseline == .inside ? (outsideFor = outsideFor ?? 0) : settle(.outside, at: time)
    } else {
      (insideFor, outsideFor) = (nil, nil)
      if baseline != .unknown { settle(baseline, at: time) }
    }
    if crossed, region.notifyOnEntry || region.notifyOnExit {
      events.append(Event(time: time, kind: .cross, state: .outside, cause: .passage))
    }
  }

  /// Returns whether the nearest point between two fixes is inside, by ternary search.
  private func isCrossed(to fix: Fix, at time: Int, by distance: Double) -> Bool {
    guard let (before, then) = last, time - then <= 60 else { return false }
    let center = region.circle.center
    let accuracy = max(before.accuracy, fix.accuracy)
    let way = Geodesic(from: before.place, to: fix.place)
    guard accuracy <= radius, way.distance > 0, way.distance <= 10_000, distance > radius,
      Geodesic(from: center, to: before.place).distance > radius
    else { return false }
    func away(_ share: Double) -> Double {
      let place = before.place.destination(azimuth: way.initialAzimuth, distance: way.distance * share).coordinate
      return Geodesic(from: center, to: place).distance
    }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<50 {
      let third = (high - low) / 3
      if away(low + third) < away(high - third) { high -= third } else { low += third }
    }
    return away((low + high) / 2) + min(accuracy, radius / 2) < radius
  }

  mutating func lose(at time: Int) {
    (fixAge, last) = (nil, nil)
    forgetFixes(at: time)
  }

  private mutating func forgetFixes(at time: Int) {
    (insideFor, outsideFor) = (nil, nil)
    if state != .unknown, certain != nil { change(to: .unknown, at: time, .locationLost) }
  }

  mutating func restart(after outage: Int, at time: Int) {
    let old = self
    self = ReferenceCircle(region)
    (events, hasToldOfStay) = (old.events, old.hasToldOfStay)
    guard let before = old.certain else { return }
    (certain, state) = (before, .unknown)
    if before == .inside { stayed = old.stayed }
    if outage > 900, before == .inside {
      stayed = nil
      change(to: .outside, at: time, .outage)
    }
  }

  private mutating func settle(_ next: RegionState, at time: Int) {
    (insideFor, outsideFor) = (nil, nil)
    if certain == nil, next == .inside { (stayed, hasToldOfStay) = (0, false) }
    certain = next
    if state != next { change(to: next, at: time, .fix) }
  }

  private mutating func change(to next: RegionState, at time: Int, _ cause: Events.Event.Cause) {
    var kind = Events.Event.Kind.state
    if next == .inside, baseline != .inside, region.notifyOnEntry { kind = .enter }
    if next == .outside, baseline == .inside, cause != .fix, region.notifyOnExit { kind = .exit }
    state = next
    if next != .unknown { certain = next }
    events.append(Event(time: time, kind: kind, state: next, cause: cause))
  }
}
