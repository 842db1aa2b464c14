import Instants
import Locations

/// Brings the sources and those who ask together: requests, fixes and time go in; what to deliver, and which sources have to be on, come out.
///
/// It reads no clock. All instants are on the clock of `Location.received`.
public struct Locator: Sendable {
  /// Whoever asks, by a number of the caller's.
  public typealias Listener = UInt32

  public enum Output: Hashable, Sendable {
    /// For one who listens.
    case update(Listener, Location)
    /// No fix is to be had; it goes on trying. Told again ever more rarely while it stays so, and never twice for one fix that was lost.
    case unknown(Listener)
    /// For one who listens: whether the device stays where it is. Told when it does, and when it does not any more.
    case stationary(Listener, Bool)
    /// A search has something better than before, and goes on.
    case progress(Listener, Location)
    /// A search is over: it found what was wanted, or the best until its time was up, or nothing.
    case found(Listener, Location?)
  }

  /// How long to wait for a first fix before saying that there is none.
  static let patience = SourcePlan.patience
  /// A fix that was measured earlier than one of the same source, or of another, by no more than this did not come late: clocks are read one after the other.
  private static let (leeway, leewayOfOthers) = (Span.seconds(1), Span.seconds(5))
  /// Metres, one sigma, in which a walk can be seen.
  private static let fine = 25.0
  static let mostSwitches = 16
  private static let mostPatience = Span.seconds(900)

  private struct Stream {
    var stream: LocationStream
    /// When to say that nothing is known, and how long after that to say it again.
    var unknownAt: Instant
    var patience = Locator.patience
    var toldStationary = false
  }

  /// The latest fix that was believed, by whatever source.
  private(set) var location: Location?
  public private(set) var switches: [SourceSwitch] = []
  /// Who has to be on, by index.
  public private(set) var wanted: Set<Int> = []
  private var recent = RecentFixes()
  private var repose = Repose()
  private var stillness = Stillness()
  private var candidates: [SourcePlan.Candidate]
  private var streams: [Listener: Stream] = [:]
  private var searches: [Listener: LocationSearch] = [:]
  private var outputs: [Output] = []
  private var nextLook = Instant.never

  public init(sources: [SourceAbility]) {
    candidates = sources.map { SourcePlan.Candidate(ability: $0) }
  }

  /// Goes on with other sources, all of which are off.
  public mutating func replaceSources(_ sources: [SourceAbility], at now: Instant) {
    for index in wanted.sorted() {
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: false, cause: .replaced))
    }
    candidates = sources.map { SourcePlan.Candidate(ability: $0) }
    wanted = []
    // It may be from one that nobody believes any more.
    location = nil
    for listener in streams.keys { streams[listener]?.unknownAt = now + Self.patience }
    stillness = Stillness()
    tellStillness()
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Where the device is, while that is known.
  public func location(at now: Instant) -> Location? {
    guard let location else { return nil }
    return location.isCurrent(at: now) ? location : substitute(at: now)
  }

  /// The best of what the other sources said, which nobody believed while a finer one knew better. What one says that is on holds until it says something else.
  private func substitute(at now: Instant) -> Location? {
    candidates.filter { $0.isThere && $0.onSince != nil }.compactMap(\.latest).filter { $0.isCurrent(at: now) }
      .min { $0.uncertainty(at: now) < $1.uncertainty(at: now) }
  }
}

// MARK: - Who asks

extension Locator {
  /// Begins, or goes on with another request. The first update follows at once where a fresh fix is known, and so does one that only the request before held back.
  public mutating func listen(_ listener: Listener, _ request: LocationRequest, at now: Instant) {
    let known = location(at: now)
    if streams[listener] == nil { streams[listener] = Stream(stream: LocationStream(request), unknownAt: now + Self.patience) }
    if let update = streams[listener]?.stream.change(to: request, known, recent, isStill: repose.isStill(at: now), at: now) {
      outputs.append(.update(listener, update))
    }
    if streams[listener]?.stream.delivered == nil, let known {
      tell(listener, known, at: now)
      tellStillness()
    }
    plan(at: now)
  }

  /// Looks once, for as long as `timeout`.
  public mutating func search(_ listener: Listener, _ accuracy: DesiredAccuracy, timeout: Span, at now: Instant) {
    searches[listener] = LocationSearch(accuracy, at: now, until: now + timeout)
    if let location = location(at: now) { offer(location, to: listener, at: now) }
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Of a stream, or a search.
  public mutating func end(_ listener: Listener, at now: Instant) {
    streams[listener] = nil
    searches[listener] = nil
    plan(at: now)
  }

  /// How many want to know.
  public var listenerCount: Int { streams.count + searches.count }

  /// The finest accuracy that anybody wants; nil when nobody does.
  public var accuracy: DesiredAccuracy? {
    (streams.values.map(\.stream.request.accuracy) + searches.values.map(\.accuracy)).min()
  }
}

// MARK: - What the sources say

extension Locator {
  /// Takes a fix of the source of that index.
  public mutating func take(_ fix: Location, from index: Int, at now: Instant) {
    if let latest = candidates[index].latest, latest.isCurrent(at: now), isLate(fix, after: latest) {
      candidates[index].late += 1
      return plan(at: now)
    }
    candidates[index].latest = fix
    // What a source remembers from before it was asked is no fix of now.
    guard fix.isCurrent(at: now), isBelieved(fix, at: now) else { return plan(at: now) }
    follow(fix, at: now)
    plan(at: now)
    concludeSearches(at: now)
  }

  /// From here on the device is there.
  private mutating func follow(_ fix: Location, at now: Instant) {
    location = fix
    recent.append(fix, at: now)
    stillness.take(fix, recent, isStill: repose.isStill(at: now), at: now)
    for listener in streams.keys.sorted() { tell(listener, fix, at: now) }
    tellStillness()
    for listener in searches.keys.sorted() { offer(fix, to: listener, at: now) }
  }

  /// How many fixes of the source of that index came after newer ones of its own, and were passed over.
  public func lateFixes(of index: Int) -> Int { candidates[index].late }

  /// Says whether a source can be asked at all.
  public mutating func set(isThere: Bool, of index: Int, at now: Instant) {
    guard candidates[index].isThere != isThere else { return }
    candidates[index].isThere = isThere
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Takes what the accelerometer feels, some five times a second while `usesAcceleration`.
  public mutating func feel(_ acceleration: Acceleration, at now: Instant) {
    repose.feel(acceleration, at: now)
  }

  /// Whether it matters to anybody that the device lies still, and fixes come that it holds back: those of a coarse source, or of one that tells only
  /// what is new, it does not.
  public func usesAcceleration(at now: Instant) -> Bool {
    guard let location = location(at: now), location.isSteady, let accuracy = location.horizontalAccuracy, accuracy <= Self.fine else {
      return false
    }
    // Significant changes are too far for a lying device to seem to make them.
    return streams.values.contains { $0.stream.request.distanceFilter != nil && $0.stream.request.interval == .zero }
  }

  /// Of several sources that are on, a coarse one does not pull the device away from where a fine one has just seen it.
  private func isBelieved(_ fix: Location, at now: Instant) -> Bool {
    guard let location = location(at: now) else { return true }
    guard location.source != fix.source else { return true }
    return !isLate(fix, after: location) && fix.uncertainty(at: now) <= location.uncertainty(at: now)
  }

  private func isLate(_ fix: Location, after other: Location) -> Bool {
    guard other.end != .never else { return false }
    return fix.measured < other.measured - (fix.source == other.source ? Self.leeway : Self.leewayOfOthers)
  }

  private mutating func tell(_ listener: Listener, _ fix: Location, at now: Instant) {
    guard var stream = streams[listener] else { return }
    if let update = stream.stream.take(fix, recent, isStill: repose.isStill(at: now), at: now) { outputs.append(.update(listener, update)) }
    stream.unknownAt = fix.end
    stream.patience = Self.patience
    streams[listener] = stream
  }

  private mutating func tellStillness() {
    for listener in streams.keys.sorted() where streams[listener]?.toldStationary != stillness.isStationary {
      streams[listener]?.toldStationary = stillness.isStationary
      outputs.append(.stationary(listener, stillness.isStationary))
    }
  }

  private mutating func offer(_ fix: Location, to listener: Listener, at now: Instant) {
    if searches[listener]?.take(fix, at: now) == true { outputs.append(.progress(listener, fix)) }
  }
}

// MARK: - Time

extension Locator {
  /// When `advance` has something to do though nobody says anything.
  public var nextDeadline: Instant {
    let unknown = streams.values.map(\.unknownAt).min() ?? .never
    let search = searches.values.map(\.nextLook).min() ?? .never
    return min(unknown, search, nextLook)
  }

  public mutating func advance(to now: Instant) {
    if now >= nextLook { plan(at: now) }
    if let location, !location.isCurrent(at: now), let other = substitute(at: now) { follow(other, at: now) }
    for (listener, stream) in streams.sorted(by: { $0.key < $1.key }) where now >= stream.unknownAt {
      // Whoever is carried about meanwhile does not stand still.
      stillness = Stillness()
      tellStillness()
      outputs.append(.unknown(listener))
      streams[listener]?.stream.forget()
      let patience = min(stream.patience * 2, Self.mostPatience)
      streams[listener]?.patience = patience
      streams[listener]?.unknownAt = now + patience
    }
    concludeSearches(at: now)
  }

  /// What came of it all since the last call, in order.
  public mutating func drain() -> [Output] {
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  private mutating func concludeSearches(at now: Instant) {
    for listener in searches.keys.sorted() {
      searches[listener]?.advance(to: now)
      // What was found tells nothing any more, and another source has said since where the device is.
      if let search = searches[listener], search.best == nil, let location = location(at: now) { offer(location, to: listener, at: now) }
    }
    let before = searches.count
    let reach = candidates.filter { $0.isThere }.map(\.ability.reach).min()
    for (listener, search) in searches.sorted(by: { $0.key < $1.key }) where search.isOver(reach: reach, at: now) {
      searches[listener] = nil
      // Its last progress was this fix.
      outputs.removeAll { $0 == search.best.map { .progress(listener, $0) } }
      outputs.append(.found(listener, search.best))
    }
    if searches.count < before || now >= nextLook { plan(at: now) }
  }

  /// Switches sources on and off.
  private mutating func plan(at now: Instant) {
    let plan = SourcePlan(candidates, accuracy: accuracy, at: now)
    nextLook = plan.nextLook
    for index in candidates.indices { candidates[index].isContent = plan.content.contains(index) }
    let wanted = Set(plan.wanted)
    guard wanted != self.wanted else { return }
    for index in plan.wanted where !self.wanted.contains(index) {
      candidates[index].onSince = now
      if index != plan.wanted.first { candidates[index].helpsSince = now }
      let cause = index == plan.wanted.first ? SourceSwitch.Cause.wanted(metres: accuracy?.metres ?? 0) : .helpsOut
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: true, cause: cause))
    }
    for index in self.wanted.subtracting(wanted).sorted() {
      (candidates[index].onSince, candidates[index].helpsSince) = (nil, nil)
      let cause = accuracy == nil ? SourceSwitch.Cause.nobodyAsks : .notNeeded
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: false, cause: cause))
    }
    self.wanted = wanted
    // Who was switched on has his patience from now on.
    nextLook = SourcePlan(candidates, accuracy: accuracy, at: now).nextLook
  }

  private mutating func note(_ change: SourceSwitch) {
    if switches.count == Self.mostSwitches { switches.removeFirst() }
    switches.append(change)
  }
}
