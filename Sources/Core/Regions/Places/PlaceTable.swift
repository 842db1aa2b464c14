import Events
import Instants

/// All monitored places of venues. An estimate of the position visits each of them.
struct PlaceTable: Sendable {
  private(set) var watches: [PlaceWatch] = []
  private var positions: [RegionKey: Int] = [:]
  /// The last estimate of each venue that has not expired, with its end.
  ///
  /// An estimate of one venue does not decide about the places of another one.
  private var estimates: [String?: (estimate: PlaceEstimate, end: Instant)] = [:]
  /// The time of the next change without a new estimate.
  private(set) var nextDeadline = Instant.never

  var count: Int { watches.count }

  var areas: Set<VenueArea> { Set(watches.map(\.region.area)) }

  func watches(of owner: RegionOwner) -> [PlaceWatch] { watches.filter { $0.region.owner == owner } }

  subscript(key: RegionKey) -> PlaceWatch? { positions[key].map { watches[$0] } }
}

// MARK: Estimates. Transitions are appended in chronological order.

extension PlaceTable {
  /// Applies an estimate. Deadlines up to `time` must have expired before.
  mutating func locate(_ next: PlaceEstimate, at time: Instant, into transitions: inout [RegionTransition]) {
    guard !watches.isEmpty else { return }
    // An estimate of all venues is that of a device that never moved. Now it does.
    if next.venue != nil { estimates.removeValue(forKey: nil) }
    estimates[next.venue] = (next, next.isLasting ? .never : time + PlaceRegion.estimateLifetime)
    for index in watches.indices {
      let area = watches[index].region.area
      guard next.probabilities[area] != nil, let probability = deciding(about: area)?.probabilities[area] else { continue }
      guard let change = watches[index].take(area.part.rule.position(at: probability), at: time) else { continue }
      transitions.append(transition(index, change))
    }
    schedule()
  }

  /// Applies the positions of the device in relation to whole venues. Deadlines up to `time` must have expired before.
  mutating func locate(_ positions: [VenueArea: AreaPosition], at time: Instant, into transitions: inout [RegionTransition]) {
    for index in watches.indices {
      guard let position = positions[watches[index].region.area] else { continue }
      guard let change = watches[index].take(position, at: time) else { continue }
      transitions.append(RegionTransition(watches[index], change, nil))
    }
    schedule()
  }

  /// Makes the regions unknown because nothing estimates the position any more.
  mutating func lose(at time: Instant, into transitions: inout [RegionTransition]) {
    lose(areas, at: time, into: &transitions)
    estimates = [:]
  }

  /// Makes the regions of areas unknown because nothing decides about them any more.
  mutating func lose(_ areas: Set<VenueArea>, at time: Instant, into transitions: inout [RegionTransition]) {
    estimates = estimates.filter { !areas.isSuperset(of: $0.value.estimate.probabilities.keys) }
    for index in watches.indices where areas.contains(watches[index].region.area) {
      if let change = watches[index].loseFixes(at: time) { transitions.append(RegionTransition(watches[index], change, nil)) }
    }
    schedule()
  }

  /// Advances to `time` and handles the deadlines in order.
  mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    while case let next = nextDeadline, next <= time {
      for index in watches.indices where watches[index].deadline <= next {
        if let change = watches[index].expire() { transitions.append(transition(index, change)) }
      }
      let expired = estimates.filter { $0.value.end <= next }
      for venue in expired.keys { estimates[venue] = nil }
      // An estimate does not decide about whole venues, so its end does not change them.
      let areas = Set(expired.values.flatMap(\.estimate.probabilities.keys).filter { $0.part != .whole })
      if !areas.isEmpty { lose(areas, at: next, into: &transitions) }
      schedule()
    }
  }

  /// Returns the estimate that decides about an area; `nil` if none does.
  ///
  /// Several venues may have a place of the same id. The device is in the venue that has the highest probability for it.
  private func deciding(about area: VenueArea) -> PlaceEstimate? {
    estimates.values.map(\.estimate).filter { $0.probabilities[area] != nil }.max { a, b in
      (a.probabilities[area] ?? 0, b.venue ?? "") < (b.probabilities[area] ?? 0, a.venue ?? "")
    }
  }

  private func transition(_ index: Int, _ change: RegionChange) -> RegionTransition {
    let (watch, area) = (watches[index], watches[index].region.area)
    let estimate = deciding(about: area) ?? (area.part == .whole ? estimates[area.venue]?.estimate : nil)
    return RegionTransition(watch, change, estimate?.fix, probability: estimate?.probabilities[area])
  }

  private mutating func schedule() {
    nextDeadline = watches.reduce(estimates.values.reduce(.never) { min($0, $1.end) }) { min($0, $1.deadline) }
  }
}

// MARK: Changing the set

extension PlaceTable {
  /// Monitors `region` and replaces the one with the same owner and identifier; see `AreaWatch.redefined`.
  /// An equal definition changes nothing.
  ///
  /// - Parameter remembered: the last certain state of a region of this name and another kind.
  mutating func add(_ region: PlaceRegion, at time: Instant, remembering remembered: RegionState = .unknown) {
    if let index = positions[region.key] {
      guard watches[index].region != region else { return }
      watches[index] = watches[index].redefined(as: region, at: time)
    } else {
      positions[region.key] = watches.count
      watches.append(PlaceWatch(region: region, at: time, remembering: remembered))
    }
    schedule()
  }

  /// Removes a region and returns its watch, or `nil` if there was none.
  @discardableResult
  mutating func remove(_ key: RegionKey) -> PlaceWatch? {
    guard let index = positions.removeValue(forKey: key) else { return nil }
    let removed = watches.remove(at: index)
    for (key, position) in positions where position > index { positions[key] = position - 1 }
    if watches.isEmpty { estimates = [:] }
    schedule()
    return removed
  }

  /// Restarts every region at `time`.
  mutating func start(at time: Instant) {
    let regions = watches.map(\.region)
    self = PlaceTable()
    for region in regions { add(region, at: time) }
  }

  /// Restores the saved state of a region; see `AreaWatch.restore`.
  mutating func restore(
    _ saved: SavedRegion, _ key: RegionKey, isForgotten: Bool, at time: Instant, clock: (Instant) -> Instant,
    into transitions: inout [RegionTransition]
  ) {
    guard let index = positions[key] else { return }
    if let change = watches[index].restore(saved, isForgotten: isForgotten, at: time, clock: clock) {
      transitions.append(transition(index, change))
    }
    schedule()
  }
}
