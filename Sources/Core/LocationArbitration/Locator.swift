import Instants
import Locations
import Motion

/// Connects location sources and listeners without I/O.
///
/// Its inputs are requests, fixes and time; its outputs are deliveries and the set of sources that must be on. It reads no clock. All
/// instants are on the clock of `Location.received`.
public struct Locator: Sendable {
  /// The receiver of an output. Outputs of one moment are in the order of their listeners.
  public enum Listener: Hashable, Comparable, Sendable {
    /// The circles and venues of the engine.
    case engine
    /// A client or one of its calls, identified by a number that the caller chooses.
    case client(UInt32)
    case departures
    case guidance
    case headings
  }

  public enum Output: Hashable, Sendable {
    /// Delivers a fix to a listener of updates.
    case update(Listener, Location)
    /// No fix is available; the locator keeps trying.
    /// Repeated at growing intervals while this lasts, and sent only once for each lost fix.
    case unknown(Listener)
    /// Whether the device is stationary, for a listener of updates.
    /// Sent whenever the value changes.
    case stationary(Listener, Bool)
    /// A search has found a better fix and continues.
    case progress(Listener, Location)
    /// A search has ended: with the requested fix, the best fix before its timeout, or nil.
    case found(Listener, Location?)

    /// The listener that the output is for.
    public var listener: Listener {
      switch self {
      case .update(let listener, _), .unknown(let listener), .stationary(let listener, _), .progress(let listener, _),
        .found(let listener, _):
        listener
      }
    }
  }

  /// The time to wait for a first fix before reporting that the location is unknown.
  static let patience = SourcePlan.patience
  static let mostSwitches = 16
  /// The intervals between two reports that the location is unknown.
  fileprivate static let unknownBackoff = Backoff(from: patience * 2, to: .seconds(900))

  struct Stream {
    var stream: LocationStream
    /// The time of the next report that the location is unknown.
    var unknownAt: Instant
    /// The interval until the report after that.
    var backoff = Locator.unknownBackoff
    var reportedStationary = false
  }

  /// The latest accepted fix, of any source.
  var location: Location?
  public private(set) var switches: [SourceSwitch] = []
  /// The indices of the sources that must be on.
  public private(set) var wanted: Set<Int> = []
  var recent = RecentFixes()
  var motion: (value: DeviceMotion, time: Instant, isRecorded: Bool)?
  var stationary = StationaryDetector()
  var candidates: [SourcePlan.Candidate]
  var streams: [Listener: Stream] = [:]
  var searches: [Listener: LocationSearch] = [:]
  var outputs: [Output] = []
  private var nextCheck = Instant.never

  public init(sources: [SourceAbility]) {
    candidates = sources.map { SourcePlan.Candidate(ability: $0) }
  }

  /// Replaces the sources; all new ones are off.
  public mutating func replaceSources(_ sources: [SourceAbility], at now: Instant) {
    for index in wanted.sorted() {
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: false, cause: .replaced))
    }
    candidates = sources.map { SourcePlan.Candidate(ability: $0) }
    wanted = []
    // The fix may come from a source that is no longer configured.
    location = nil
    for listener in streams.keys { streams[listener]?.unknownAt = now + Self.patience }
    stationary = StationaryDetector()
    reportStationary()
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Returns the location of the device, or nil if no fix is current.
  public func location(at now: Instant) -> Location? {
    guard let location else { return nil }
    return location.isCurrent(at: now) ? location : substitute(at: now)
  }

  /// Returns the best current fix of the other sources that are on.
  /// The locator rejected these fixes while a finer one was current. A fix of a source that is on stays valid until the source reports
  /// another.
  private func substitute(at now: Instant) -> Location? {
    candidates.filter { $0.isAvailable && $0.onSince != nil }.compactMap(\.latest).filter { $0.isCurrent(at: now) }
      .min { $0.uncertainty(at: now) < $1.uncertainty(at: now) }
  }
}

// MARK: - Listeners

extension Locator {
  /// Starts updates for a listener, or replaces its request.
  /// The first update follows at once if a current fix is known. A fix that only the previous request held back is delivered at once,
  /// too.
  public mutating func listen(_ listener: Listener, _ request: LocationRequest, at now: Instant) {
    let known = location(at: now)
    if streams[listener] == nil { streams[listener] = Stream(stream: LocationStream(request), unknownAt: now + Self.patience) }
    let isStill = if let known { self.isStill(known, at: now) } else { false }
    if let update = streams[listener]?.stream.change(to: request, known, recent, isStill: isStill, at: now) {
      outputs.append(.update(listener, update))
    }
    if streams[listener]?.stream.delivered == nil, let known {
      report(listener, known, at: now)
      reportStationary()
    }
    plan(at: now)
  }

  /// Starts a search for one fix that ends after `timeout` at the latest.
  public mutating func search(_ listener: Listener, _ accuracy: DesiredAccuracy, timeout: Span, at now: Instant) {
    searches[listener] = LocationSearch(accuracy, at: now, until: now + timeout)
    if let location = location(at: now) { offer(location, to: listener, at: now) }
    plan(at: now)
    concludeSearches(at: now)
  }

  /// Ends the updates or the search of a listener.
  public mutating func end(_ listener: Listener, at now: Instant) {
    streams[listener] = nil
    searches[listener] = nil
    plan(at: now)
  }

  /// The finest accuracy that any listener requests; nil without listeners.
  public var accuracy: DesiredAccuracy? {
    (streams.values.map(\.stream.request.accuracy) + searches.values.map(\.accuracy)).min()
  }
}

// MARK: - Time

extension Locator {
  /// The time at which `advance` must be called even without new input.
  public var nextDeadline: Instant {
    let unknown = streams.values.map(\.unknownAt).min() ?? .never
    let search = searches.values.map(\.nextCheck).min() ?? .never
    return min(unknown, search, nextCheck)
  }

  public mutating func advance(to now: Instant) {
    if now >= nextCheck { plan(at: now) }
    if let location, !location.isCurrent(at: now), let other = substitute(at: now) { follow(other, at: now) }
    for (listener, stream) in streams.sorted(by: { $0.key < $1.key }) where now >= stream.unknownAt {
      // The device may be moved while no fix arrives, so it no longer counts as stationary.
      stationary = StationaryDetector()
      reportStationary()
      outputs.append(.unknown(listener))
      streams[listener]?.stream.forget()
      var backoff = stream.backoff
      streams[listener]?.unknownAt = now + backoff.next()
      streams[listener]?.backoff = backoff
    }
    concludeSearches(at: now)
  }

  /// Returns and removes the outputs since the last call, in order.
  public mutating func drain() -> [Output] {
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  mutating func concludeSearches(at now: Instant) {
    for listener in searches.keys.sorted() {
      searches[listener]?.advance(to: now)
      // The best fix has expired, and another source may have reported a location since.
      if let search = searches[listener], search.best == nil, let location = location(at: now) { offer(location, to: listener, at: now) }
    }
    let before = searches.count
    let best = candidates.filter { $0.isAvailable }.map(\.ability.typicalAccuracy).min()
    for (listener, search) in searches.sorted(by: { $0.key < $1.key }) where search.isOver(bestAccuracy: best, at: now) {
      searches[listener] = nil
      // The last progress of the search is this fix, so `found` replaces it.
      outputs.removeAll { $0 == search.best.map { .progress(listener, $0) } }
      outputs.append(.found(listener, search.best))
    }
    if searches.count < before || now >= nextCheck { plan(at: now) }
  }

  /// Switches sources on and off.
  mutating func plan(at now: Instant) {
    let plan = SourcePlan(candidates, accuracy: accuracy, at: now)
    nextCheck = plan.nextCheck
    for index in candidates.indices { candidates[index].isSufficient = plan.sufficient.contains(index) }
    let wanted = Set(plan.wanted)
    guard wanted != self.wanted else { return }
    for index in plan.wanted where !self.wanted.contains(index) {
      candidates[index].onSince = now
      if index != plan.wanted.first { candidates[index].helpsSince = now }
      let cause = index == plan.wanted.first ? SourceSwitch.Cause.wanted(metres: accuracy?.metres ?? 0) : .supplements
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: true, cause: cause))
    }
    for index in self.wanted.subtracting(wanted).sorted() {
      (candidates[index].onSince, candidates[index].helpsSince) = (nil, nil)
      let cause = accuracy == nil ? SourceSwitch.Cause.notRequested : .notNeeded
      note(SourceSwitch(time: now, source: candidates[index].ability.source, isOn: false, cause: cause))
    }
    self.wanted = wanted
    // The patience of a source that was switched on starts now.
    nextCheck = SourcePlan(candidates, accuracy: accuracy, at: now).nextCheck
  }

  private mutating func note(_ change: SourceSwitch) {
    if switches.count == Self.mostSwitches { switches.removeFirst() }
    switches.append(change)
  }
}
