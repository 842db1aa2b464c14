import Instants
import Locations
public import Motion

// MARK: - Sources

extension Locator {
  /// Tolerances for late fixes: of the same source, and of another source.
  /// A fix that was measured earlier than another by no more than this is not late, because clocks are read one after the other.
  private static let (leeway, leewayOfOthers) = (Span.seconds(1), Span.seconds(5))
  /// The accuracy at which a walk is visible: one sigma, in metres.
  private static let fine = 25.0
  /// The time after which the motion of the device is unknown, if its sensors fall silent.
  private static let motionLifetime = Span.seconds(3)

  /// Takes a fix of the source at `index`.
  public mutating func take(_ fix: Location, from index: Int, at now: Instant) {
    if let latest = candidates[index].latest, latest.isCurrent(at: now), isLate(fix, after: latest) {
      candidates[index].late += 1
      return plan(at: now)
    }
    candidates[index].latest = fix
    // A fix that the source has cached from before its start may no longer be current.
    guard fix.isCurrent(at: now), isAccepted(fix, at: now), !candidates[index].isOutrun(among: candidates, at: now) else {
      return plan(at: now)
    }
    follow(fix, at: now)
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Makes an accepted fix the location of the device.
  mutating func follow(_ fix: Location, at now: Instant) {
    location = fix
    recent.append(fix, at: now)
    stationary.take(fix, recent, isStill: isStill(fix, at: now), at: now)
    for listener in streams.keys.sorted() { report(listener, fix, at: now) }
    reportStationary()
    for listener in searches.keys.sorted() { offer(fix, to: listener, at: now) }
  }

  /// Returns how many fixes of the source at `index` were dropped because they arrived after newer ones of that source.
  public func lateFixes(of index: Int) -> Int { candidates[index].late }

  /// Sets whether a source is available.
  public mutating func set(isAvailable: Bool, of index: Int, at now: Instant) {
    guard candidates[index].isAvailable != isAvailable else { return }
    candidates[index].isAvailable = isAvailable
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Takes the motion of the device, once a second while `usesMotion`.
  ///
  /// - Parameter isRecorded: whether the motion is that of a recorded device, which does not apply to live fixes.
  public mutating func take(_ motion: DeviceMotion, at now: Instant, isRecorded: Bool = false) {
    self.motion = (motion, now, isRecorded)
  }

  /// Returns whether a recorded motion is that of the device of a fix.
  public func followsRecording(_ fix: Location) -> Bool {
    candidates.contains { $0.ability.followsRecording && $0.ability.source == fix.source }
  }

  /// Returns whether the device of a fix is at rest.
  func isStill(_ fix: Location, at now: Instant) -> Bool {
    guard let motion, motion.value.activity == .still, now - motion.time <= Self.motionLifetime else { return false }
    return !motion.isRecorded || followsRecording(fix)
  }

  /// Returns whether rest of the device matters to any listener.
  /// Rest matters only for fixes that it can hold back, not for those of a coarse source or of a source that reports only changes.
  public func usesMotion(at now: Instant) -> Bool {
    guard let location = location(at: now), location.isSteady, let accuracy = location.horizontalAccuracy, accuracy <= Self.fine else {
      return false
    }
    // Noise cannot move a resting device as far as a significant change.
    return streams.values.contains { $0.stream.request.distanceFilter != nil && $0.stream.request.interval == .zero }
  }

  /// Returns whether a fix is accepted.
  /// A coarse source must not move the device away from a current, finer fix of another source.
  private func isAccepted(_ fix: Location, at now: Instant) -> Bool {
    guard let location = location(at: now) else { return true }
    guard location.source != fix.source else { return true }
    return !isLate(fix, after: location) && fix.uncertainty(at: now) <= location.uncertainty(at: now)
  }

  private func isLate(_ fix: Location, after other: Location) -> Bool {
    guard other.end != .never else { return false }
    return fix.measured < other.measured - (fix.source == other.source ? Self.leeway : Self.leewayOfOthers)
  }

  mutating func report(_ listener: Listener, _ fix: Location, at now: Instant) {
    guard var stream = streams[listener] else { return }
    if let update = stream.stream.take(fix, recent, isStill: isStill(fix, at: now), at: now) { outputs.append(.update(listener, update)) }
    stream.unknownAt = fix.end
    stream.backoff.reset()
    streams[listener] = stream
  }

  mutating func reportStationary() {
    for listener in streams.keys.sorted() where streams[listener]?.reportedStationary != stationary.isStationary {
      streams[listener]?.reportedStationary = stationary.isStationary
      outputs.append(.stationary(listener, stationary.isStationary))
    }
  }

  mutating func offer(_ fix: Location, to listener: Listener, at now: Instant) {
    if searches[listener]?.take(fix, at: now) == true { outputs.append(.progress(listener, fix)) }
  }
}
