import Instants

/// The number of a region's beacons that are not farther than the distance at which it is left.
///
/// A close beacon that falls silent counts for one to two exit delays more. Two counters take turns, so that forgetting silent beacons
/// costs the same however many there are.
struct CloseBeacons: Sendable {
  /// The turn in which a beacon was last counted; zero for a beacon that is not counted.
  typealias Turn = UInt32

  private var turn: Turn = 2
  private var start: Instant
  private var current = 0
  private var previous = 0

  init(at time: Instant) {
    start = time
  }

  var isEmpty: Bool { current + previous == 0 }

  /// Applies a sighting of a beacon that was last counted in turn `counted`.
  mutating func note(_ isClose: Bool, _ counted: inout Turn, at time: Instant, exitDelay: Span) {
    if time - start >= exitDelay { takeTurns(at: time, exitDelay) }
    let next = isClose ? turn : 0
    guard next != counted else { return }
    remove(counted)
    if isClose { current += 1 }
    counted = next
  }

  /// Forgets a beacon that was last counted in turn `counted`.
  mutating func remove(_ counted: Turn) {
    if counted == turn {
      current -= 1
    } else if counted == turn &- 1 {
      previous -= 1
    }
  }

  private mutating func takeTurns(at time: Instant, _ exitDelay: Span) {
    let isNext = time - start < exitDelay + exitDelay
    previous = isNext ? current : 0
    current = 0
    // Skips a turn if no beacon of the turn before may still count as previous.
    turn &+= isNext ? 1 : 2
    start = isNext ? start + exitDelay : time
  }
}
