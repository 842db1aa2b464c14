import Geodesy
import Instants
import Regions

/// Decides from the fixes of other location sources whether the device can be at a venue.
///
/// The gate is open without a fix, and while the accuracy of the last one does not exclude the venue. While it is closed, the beacons of
/// the venue are neither scanned for nor heard. It opens at once and at a shorter distance than it closes, so that it does not flap.
struct VenueGate: Sendable {
  /// The multiple of one sigma of a fix that counts as sure.
  private static let certainty = 3.0
  /// The distance in metres from the circle beyond which an open gate closes. A closed one opens at the circle.
  private static let margin = 30.0
  /// The time for which fixes must agree to close the gate of a venue whose beacons are heard.
  static let hold = CircularRegion.hold

  /// The circle of the venue; `nil` for a venue whose location is unknown, whose gate stays open.
  let circle: Circle?
  private(set) var isClosed = false
  /// The time of the first of the fixes that have excluded the venue since; `nil` if the last one does not.
  private var excludedSince: Instant?
  /// The time at which the last fix that excludes the venue expires.
  private var opening = Instant.never
  /// The time at which the last fix inside the circle expires; in the past without one.
  private(set) var insideUntil = Instant(microseconds: .min)

  init(_ circle: Circle?) {
    self.circle = circle
  }

  /// The time of the next change without a fix; `.never` while only fixes change something.
  var deadline: Instant { opening }
  /// Whether the last fix excludes the venue, but the gate is open, because beacons of the venue are heard.
  var isContradicted: Bool { excludedSince != nil && !isClosed }

  /// Applies a fix that has not expired.
  ///
  /// Only a fix closes the gate: a wrong one is valid for long, but the next one contradicts it.
  ///
  /// - Parameter isHeard: whether beacons of the venue are heard, against which one fix alone does not count.
  mutating func note(_ fix: Fix, isHeard: Bool, at time: Instant) {
    guard let circle else { return }
    let distance = circle.center.distance(to: fix.place)
    insideUntil = distance + fix.accuracy <= circle.radius ? fix.end : time
    guard distance - Self.certainty * fix.accuracy > circle.radius + (isClosed ? 0 : Self.margin) else { return open() }
    opening = fix.end
    let since = excludedSince ?? fix.time
    excludedSince = since
    // A configured location needs no other fix that agrees, because none follows.
    if !isHeard || fix.isLasting || fix.time - since >= Self.hold { isClosed = true }
  }

  /// Closes an open gate if the last fix excludes the venue, whose beacons are not heard any more.
  ///
  /// - Returns: whether the gate was open.
  mutating func closeIfContradicted() -> Bool {
    guard isContradicted else { return false }
    isClosed = true
    return true
  }

  /// Opens the gate, because the last fix does not exclude the venue any more.
  mutating func open() {
    (isClosed, excludedSince, opening) = (false, nil, .never)
  }

  /// Forgets all fixes.
  mutating func forget() { self = VenueGate(circle) }

  /// Opens the gate if the last fix has expired.
  mutating func expire(through time: Instant) {
    if opening <= time { open() }
  }
}

/// Decides whether the device is at a venue, for regions that are the whole venue.
struct VenuePresence: Sendable {
  /// The time for which beacons must be heard. The device of a passer-by hears them for less.
  static let settling = Span.seconds(5)
  /// The silence after which the device has left.
  static let silence = Span.seconds(60)

  /// The first and the last sighting, without a longer silence in between.
  private var run: (first: Instant, last: Instant)?
  /// The last answer; `nil` if it does not count any more.
  private var reported: AreaPosition?
  /// The time of the next required call of `take`; `.never` while only sightings and fixes change something.
  private(set) var deadline: Instant

  /// Whether the last answer was that the device is at the venue.
  var isInside: Bool { reported == .inner }

  /// Creates a gate whose adapter listens from `time` on.
  init(at time: Instant) {
    deadline = time + Self.silence
  }

  /// Starts listening again at `time`, after no adapter could hear.
  mutating func resume(at time: Instant) {
    if let first = run?.first { run = (first, time) }
    reported = nil
    deadline = time + Self.silence
  }

  /// Stops listening at `time`, because no adapter can hear. A visit that ended before does not continue afterwards.
  ///
  /// - Parameter insideUntil: when the fix expires that puts the device inside the circle. It counts without an adapter, too.
  mutating func stop(at time: Instant, insideUntil: Instant) {
    endRun(at: time)
    reported = nil
    deadline = insideUntil > time ? time : .never
  }

  /// Forgets the last answer, because nothing could decide that the device is outside.
  mutating func withdraw() { reported = nil }

  private mutating func endRun(at time: Instant) {
    if let last = run?.last, time - last >= Self.silence { run = nil }
  }

  mutating func hear(at time: Instant) {
    if let (first, last) = run, time - last <= Self.silence {
      run = (first, max(last, time))
    } else {
      run = (time, time)
    }
    guard let (first, last) = run else { return }
    deadline = reported != .inner && last - first >= Self.settling ? last : last + Self.silence
  }

  /// Notes that a fix puts the device inside the circle.
  mutating func noteInside(at time: Instant) {
    if reported != .inner { deadline = min(deadline, time) }
  }

  /// Notes that no fix puts the device inside the circle until `insideUntil` any more, so that silence counts.
  mutating func noteDoubt(at time: Instant) {
    if reported == .inner { deadline = max(time, (run?.last ?? time) + Self.silence) }
  }

  /// Notes that a fix excludes the venue.
  mutating func leave(at time: Instant) {
    run = nil
    if reported != .outer { deadline = time }
  }

  /// Returns the position at a deadline; `nil` before it.
  ///
  /// - Parameter insideUntil: when the fix expires that puts the device inside the circle.
  mutating func take(at time: Instant, insideUntil: Instant) -> AreaPosition? {
    guard deadline <= time else { return nil }
    endRun(at: time)
    if let (first, last) = run, last - first >= Self.settling {
      (reported, deadline) = (.inner, last + Self.silence)
    } else if insideUntil > time {
      (reported, deadline) = (.inner, insideUntil)
    } else {
      (reported, deadline) = (.outer, .never)
    }
    return reported
  }
}
