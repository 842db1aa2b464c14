import Events
import Geodesy
import Instants

/// All monitored circles.
/// The cost of a fix is that of finding the circles that contain it, and a little for each circle that is not certainly outside.
struct CircleTable: Sendable {
  struct Slot: Sendable {
    /// False for a free slot.
    var isUsed = true
    /// Whether every fix is compared with the circle; another circle is compared only if a fix lies inside.
    var isCompared = false
    var watch: CircleWatch

    var deadline: Instant { isUsed ? watch.deadline : .never }
  }

  /// The watches, at their numbers in `index`.
  var slots: ContiguousArray<Slot> = []
  var index = CircleIndex()
  var byKey = SlotIndex()
  /// The circles with which every fix is compared.
  var compared: ContiguousArray<Int32> = []
  var deadlines = DeadlineQueue()
  var fixes = FixMemory()
  /// The smallest radius in metres, which `smallestCount` circles have.
  var smallest = Double.infinity
  var smallestCount = 0
  /// The number of circles that gate scanning.
  /// Beacons are scanned for within `widestMargin` metres of a boundary at most.
  var gates = 0
  var widestMargin = 0.0
  var gate = ScanGate()
  /// The time at which the last fix must be compared with new circles; `.never` if there are none.
  var reviewTime = Instant.never
  /// A buffer that is kept to reuse its memory.
  private var found: ContiguousArray<Int32> = []

  var count: Int { index.count }

  var watches: [CircleWatch] { slots.filter(\.isUsed).map(\.watch) }

  func watches(of owner: RegionOwner) -> [CircleWatch] { slots.filter { $0.isUsed && $0.watch.region.owner == owner }.map(\.watch) }

  /// A time not later than the next change by time alone; `.never` while only fixes change something.
  @inline(__always)  // a part of every sighting; a call would copy the table
  var nextDeadline: Instant { min(deadlines.earliest, fixes.nextEnd, gate.deadline, reviewTime) }
}

// MARK: Fixes. Transitions are appended in chronological order.

extension CircleTable {
  /// Applies a fix. Deadlines up to `time` must have expired before.
  /// A fix that has expired or is older than the last one is ignored.
  mutating func locate(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    guard fix.end > time, fix.time >= fixes.last?.time ?? fix.time else { return }
    let before = fixes.last
    fixes.note(fix)
    fixes.limit(to: smallest)
    reviewTime = .never
    if let before { pass(from: before, to: fix, at: time, into: &transitions) }
    look(fix, at: time, into: &transitions)
    beginComparing(containing: fix, at: time)
    noteGates(fix, at: time)
  }

  /// Compares a fix with the circles in `compared`.
  private mutating func look(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    let queryPoint = index.queryPoint(of: fix.place)
    var kept = 0
    for position in compared.indices {
      let slot = Int(compared[position])
      if slots[slot].isUsed {
        if let place = slots[slot].watch.region.position(of: fix, queryPoint, index, slot) {
          if let change = slots[slot].watch.take(place, at: time) {
            transitions.append(RegionTransition(slots[slot].watch, change, fix))
          }
          schedule(slot)
        }
        if !slots[slot].watch.isCertainlyOutside {
          compared[kept] = compared[position]
          kept += 1
          continue
        }
      }
      slots[slot].isCompared = false
    }
    compared.removeSubrange(kept...)
  }

  /// Begins to compare fixes with the circles that the device may be entering.
  private mutating func beginComparing(containing fix: Fix, at time: Instant) {
    var numbers = found
    found = []
    index.forEach(containing: fix.place) { numbers.append(Int32(truncatingIfNeeded: $0)) }
    for slot in numbers.lazy.map(Int.init) where !slots[slot].isCompared {
      let distance = slots[slot].watch.region.circle.center.distance(to: fix.place)
      guard let accuracy = slots[slot].watch.region.counted(fix.accuracy),
        slots[slot].watch.region.position(at: distance, accuracy: accuracy) == .inner
      else { continue }
      // A circle that is certainly outside only begins its hold, which is not a change yet.
      _ = slots[slot].watch.take(.inner, at: time)
      beginComparing(slot)
      schedule(slot)
    }
    numbers.removeAll(keepingCapacity: true)
    found = numbers
  }

  /// Reports small circles that the device passed through between two fixes.
  private mutating func pass(from before: Fix, to fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    guard let passage = Passage(from: before, to: fix, smallest: smallest) else { return }
    var crossed: Set<Int> = []
    for place in passage.samples {
      index.forEach(containing: place) { number in
        if passage.crosses(index[number]) { crossed.insert(number) }
      }
    }
    for slot in crossed.sorted() where slots[slot].watch.isCertainlyOutside && slots[slot].watch.region.reportsCrossings {
      let change = RegionChange(kind: .cross, time: time, cause: .passage)
      transitions.append(RegionTransition(slots[slot].watch, change, fix))
    }
  }

  private mutating func noteGates(_ fix: Fix, at time: Instant) {
    guard gates > 0 else { return }
    var isAway = true
    index.forEach(within: fix.accuracy + widestMargin, of: fix.place) { slot, boundary in
      if slots[slot].watch.region.isNear(fix, boundary) { isAway = false }
    }
    gate.note(isAway: isAway, at: time, until: fix.end)
  }

  /// Makes the circles unknown because no source reports a location any more.
  mutating func loseFixes(at time: Instant, into transitions: inout [RegionTransition]) {
    gate.open()
    fixes.forget()
    reviewTime = .never
    lose(0 ..< .infinity, at: time, into: &transitions)
  }

  /// Makes circles of these radii unknown because no fix is valid for them any more.
  private mutating func lose(_ radii: Range<Double>, at time: Instant, into transitions: inout [RegionTransition]) {
    for slot in slots.indices where slots[slot].isUsed && radii.contains(slots[slot].watch.region.circle.radius) {
      guard let change = slots[slot].watch.loseFixes(at: time) else { continue }
      transitions.append(RegionTransition(slots[slot].watch, change, nil))
      beginComparing(slot)
    }
  }

  /// Advances to `time` and handles the deadlines in order.
  mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    while case let next = nextDeadline, next <= time {
      if reviewTime <= next { review(into: &transitions) }
      while let slot = deadlines.next(through: next, deadline: { slots[$0].deadline }) {
        if let change = slots[slot].watch.expire() {
          transitions.append(RegionTransition(slots[slot].watch, change, decisiveFix(of: slot)))
        }
        schedule(slot)
      }
      if fixes.nextEnd <= next {
        let radii = fixes.expire()
        if radii.upperBound > smallest { lose(radii, at: next, into: &transitions) }
      }
      gate.expire(through: next)
    }
  }

  /// Returns the last fix that was fine enough for the circle; a coarser fix may be newer.
  private func decisiveFix(of slot: Int) -> Fix? { fixes.last(for: slots[slot].watch.region.circle.radius) ?? fixes.last }

  /// Compares the last fix with circles that were added after it.
  mutating func review(into transitions: inout [RegionTransition]) {
    let time = reviewTime
    reviewTime = .never
    guard let fix = fixes.last else { return }
    look(fix, at: time, into: &transitions)
    noteGates(fix, at: time)
  }

  mutating func beginComparing(_ slot: Int) {
    guard !slots[slot].isCompared else { return }
    slots[slot].isCompared = true
    compared.append(Int32(truncatingIfNeeded: slot))
  }

  mutating func schedule(_ slot: Int) {
    deadlines.expect(slots[slot].deadline, of: slot)
  }
}

extension CircularRegion {
  /// Returns where a fix puts the device, or `nil` if the fix is too coarse.
  ///
  /// - Parameter number: the number of the circle in `index`.
  @inline(__always)
  fileprivate func position(of fix: Fix, _ queryPoint: CircleIndex.QueryPoint, _ index: CircleIndex, _ number: Int) -> AreaPosition? {
    guard let accuracy = counted(fix.accuracy) else { return nil }
    // Most circles are far away, and the straight line through the earth proves that at little cost.
    if index.isFarther(queryPoint, from: number, than: circle.radius + buffer + accuracy) { return .outer }
    return position(at: circle.center.distance(to: fix.place), accuracy: accuracy)
  }

  fileprivate var reportsCrossings: Bool { notifyOnEntry || notifyOnExit }

  /// Whether the device may have come for the region's beacons, judged by its speed and its metres from the boundary.
  fileprivate func isNear(_ fix: Fix, _ boundary: Double) -> Bool {
    guard let gate else { return false }
    if let most = gate.mostSpeed, let speed = fix.speed, speed > most { return false }
    return boundary - fix.accuracy <= ScanGate.margin(radius: circle.radius)
  }
}
