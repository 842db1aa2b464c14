import Events
import Geodesy
import Instants

/// All watched circles. A fix costs as much as finding those that contain it, and a little for each that is not certainly outside.
struct CircleTable: Sendable {
  struct Slot: Sendable {
    /// False for a slot that is free.
    var isUsed = true
    /// Whether it is looked at with every fix; others only when a fix lies inside.
    var isAwake = false
    var watch: CircleWatch

    var deadline: Instant { isUsed ? watch.deadline : .never }
  }

  /// By the numbers of the index.
  var slots: ContiguousArray<Slot> = []
  var index = CircleIndex()
  var byKey = SlotIndex()
  var awake: ContiguousArray<Int32> = []
  var deadlines = DeadlineQueue()
  var fixes = FixMemory()
  /// The radius of the smallest, metres, and how many have it.
  var smallest = Double.infinity
  var smallestCount = 0
  /// How many have beacons, and from how far away at most those are scanned for: metres from the boundary.
  var gates = 0
  var widestMargin = 0.0
  var gate = ScanGate()
  /// When the last fix has to be held against circles that are new; `.never` when there are none.
  var reviewTime = Instant.never
  /// Kept for its room.
  private var found: ContiguousArray<Int32> = []

  var count: Int { index.count }

  var watches: [CircleWatch] { slots.filter(\.isUsed).map(\.watch) }

  func watches(of owner: RegionOwner) -> [CircleWatch] { slots.filter { $0.isUsed && $0.watch.region.owner == owner }.map(\.watch) }

  /// When time alone changes something, or a little earlier; `.never` while only fixes do.
  @inline(__always)  // a part of every sighting; a call would copy the table
  var nextDeadline: Instant { min(deadlines.earliest, fixes.nextEnd, gate.deadline, reviewTime) }
}

// MARK: Fixes. Transitions are appended in the order in which they happened.

extension CircleTable {
  /// Takes where the device is. Deadlines up to `time` must have expired before. One that is too old, or older than the last, tells nothing.
  mutating func locate(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    guard fix.end > time, fix.time >= fixes.last?.time ?? fix.time else { return }
    let before = fixes.last
    fixes.note(fix)
    fixes.limit(to: smallest)
    reviewTime = .never
    if let before { pass(from: before, to: fix, at: time, into: &transitions) }
    look(fix, at: time, into: &transitions)
    wake(containing: fix, at: time)
    noteGates(fix, at: time)
  }

  /// Holds a fix against every circle that is awake.
  private mutating func look(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    let vantage = index.vantage(of: fix.place)
    var kept = 0
    for position in awake.indices {
      let slot = Int(awake[position])
      if slots[slot].isUsed {
        if let place = slots[slot].watch.region.position(of: fix, vantage, index, slot) {
          if let change = slots[slot].watch.take(place, at: time) {
            transitions.append(RegionTransition(slots[slot].watch, change, fix))
          }
          schedule(slot)
        }
        if !slots[slot].watch.isAsleep {
          awake[kept] = awake[position]
          kept += 1
          continue
        }
      }
      slots[slot].isAwake = false
    }
    awake.removeSubrange(kept...)
  }

  /// Wakes those that somebody may be entering.
  private mutating func wake(containing fix: Fix, at time: Instant) {
    var numbers = found
    found = []
    index.forEach(containing: fix.place) { numbers.append(Int32(truncatingIfNeeded: $0)) }
    for slot in numbers.lazy.map(Int.init) where !slots[slot].isAwake {
      let distance = slots[slot].watch.region.circle.center.distance(to: fix.place)
      guard let accuracy = slots[slot].watch.region.counted(fix.accuracy),
        slots[slot].watch.region.position(at: distance, accuracy: accuracy) == .inner
      else { continue }
      // One that is certainly outside only sets out: that is no change yet.
      _ = slots[slot].watch.take(.inner, at: time)
      wake(slot)
      schedule(slot)
    }
    numbers.removeAll(keepingCapacity: true)
    found = numbers
  }

  /// Tells of small circles that somebody passed through between two fixes.
  private mutating func pass(from before: Fix, to fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    guard let passage = Passage(from: before, to: fix, smallest: smallest) else { return }
    var crossed: Set<Int> = []
    for place in passage.samples {
      index.forEach(containing: place) { number in
        if passage.crosses(index[number]) { crossed.insert(number) }
      }
    }
    for slot in crossed.sorted() where slots[slot].watch.isAsleep && slots[slot].watch.region.tellsCrossings {
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

  /// Nobody says any more where the device is.
  mutating func loseFixes(at time: Instant, into transitions: inout [RegionTransition]) {
    gate.open()
    fixes.forget()
    reviewTime = .never
    lose(0 ..< .infinity, at: time, into: &transitions)
  }

  /// There is no fix any more for circles of these radii.
  private mutating func lose(_ radii: Range<Double>, at time: Instant, into transitions: inout [RegionTransition]) {
    for slot in slots.indices where slots[slot].isUsed && radii.contains(slots[slot].watch.region.circle.radius) {
      guard let change = slots[slot].watch.loseFixes(at: time) else { continue }
      transitions.append(RegionTransition(slots[slot].watch, change, nil))
      wake(slot)
    }
  }

  /// Lets time pass, in order.
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

  /// The last that told it anything: a coarser one may have come since.
  private func decisiveFix(of slot: Int) -> Fix? { fixes.last(for: slots[slot].watch.region.circle.radius) ?? fixes.last }

  /// Holds the last fix against circles that were not there when it came.
  mutating func review(into transitions: inout [RegionTransition]) {
    let time = reviewTime
    reviewTime = .never
    guard let fix = fixes.last else { return }
    look(fix, at: time, into: &transitions)
    noteGates(fix, at: time)
  }

  mutating func wake(_ slot: Int) {
    guard !slots[slot].isAwake else { return }
    slots[slot].isAwake = true
    awake.append(Int32(truncatingIfNeeded: slot))
  }

  mutating func schedule(_ slot: Int) {
    deadlines.expect(slots[slot].deadline, of: slot)
  }
}

extension CircularRegion {
  /// Nil for a fix that is too coarse.
  ///
  /// - Parameter number: of its circle in `index`.
  @inline(__always)
  fileprivate func position(of fix: Fix, _ vantage: CircleIndex.Vantage, _ index: CircleIndex, _ number: Int) -> Position? {
    guard let accuracy = counted(fix.accuracy) else { return nil }
    // Most are far away, and the straight line through the earth says so at little cost.
    if index.isFarther(vantage, from: number, than: circle.radius + buffer + accuracy) { return .outer }
    return position(at: circle.center.distance(to: fix.place), accuracy: accuracy)
  }

  fileprivate var tellsCrossings: Bool { notifyOnEntry || notifyOnExit }

  /// Whether somebody may have come for its beacons, so far from its boundary.
  fileprivate func isNear(_ fix: Fix, _ boundary: Double) -> Bool {
    guard let gate else { return false }
    if let most = gate.mostSpeed, let speed = fix.speed, speed > most { return false }
    return boundary - fix.accuracy <= ScanGate.margin(radius: circle.radius)
  }
}
