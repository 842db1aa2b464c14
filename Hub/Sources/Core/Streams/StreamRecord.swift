/// The numbers that arrived of one stream of a device: the highest one, and the gaps below it.
///
/// A message is stored if its number is above the highest one or in a gap, and is a copy otherwise. The device declares with each message
/// the lowest number that it still has, its floor. A gap below the floor counts as lost, but a message that arrives late still fills it: a
/// broker may return messages of a stopped worker after later ones.
public struct StreamRecord: Hashable, Sendable {
  public enum Verdict: Sendable {
    case new
    /// The number arrived before, or it was in a gap that was given up.
    case copy
    /// The number is further above the highest one than a device can be.
    case future
  }

  /// The largest number of gaps. Beyond it, the oldest gap is given up.
  public static let maximumGaps = 64
  /// The largest distance of a number from the highest one before it: three years of one message a second.
  public static let maximumJump: Int64 = 100_000_000

  /// The highest number that arrived; 0 before the first message.
  public private(set) var highest: Int64
  /// The floor of the first message. Lower numbers belong to the time before the device sent to this hub, and are not lost.
  public private(set) var origin: Int64
  /// The highest floor of a message.
  public private(set) var floor: Int64
  /// The ranges of numbers that did not arrive, in ascending order.
  public private(set) var gaps: [ClosedRange<Int64>]
  /// The count of numbers in gaps that were given up.
  public private(set) var abandoned: Int64

  public init() { self.init(highest: 0, origin: 0, floor: 0, gaps: [], abandoned: 0) }

  public init(highest: Int64, origin: Int64, floor: Int64, gaps: [ClosedRange<Int64>], abandoned: Int64) {
    (self.highest, self.origin, self.floor, self.gaps, self.abandoned) = (highest, origin, floor, gaps, abandoned)
  }

  /// The count of numbers that the device no longer has and that did not arrive.
  public var lost: Int64 { abandoned + count(from: origin, below: floor) }

  /// The count of numbers that the device still has and that did not arrive, although higher ones did.
  public var missing: Int64 { count(from: max(floor, origin), below: .max) }

  private func count(from lowest: Int64, below end: Int64) -> Int64 {
    gaps.reduce(0) { $0 + max(0, min($1.upperBound, end - 1) - max($1.lowerBound, lowest) + 1) }
  }

  /// Notes the number of a message. Changes nothing unless the verdict is `new`.
  public mutating func take(_ sequence: Int64, floor declared: Int64) -> Verdict {
    let start = min(max(declared, 1), sequence)
    if origin == 0 {
      guard sequence - start <= Self.maximumJump else { return .future }
      (origin, floor, highest) = (start, start, start - 1)
      if start > 1 { gaps = [1...start - 1] }
    }
    if sequence > highest {
      guard sequence - highest <= Self.maximumJump else { return .future }
      if sequence > highest + 1 { gaps.append(highest + 1...sequence - 1) }
      highest = sequence
    } else {
      guard fill(sequence) else { return .copy }
    }
    floor = max(floor, start)
    while gaps.count > Self.maximumGaps {
      let oldest = gaps.removeFirst()
      abandoned += max(0, oldest.upperBound - max(oldest.lowerBound, origin) + 1)
    }
    return .new
  }

  private mutating func fill(_ sequence: Int64) -> Bool {
    guard let index = gaps.lastIndex(where: { $0.lowerBound <= sequence }), gaps[index].contains(sequence) else { return false }
    let gap = gaps.remove(at: index)
    if gap.upperBound > sequence { gaps.insert(sequence + 1...gap.upperBound, at: index) }
    if gap.lowerBound < sequence { gaps.insert(gap.lowerBound...sequence - 1, at: index) }
    return true
  }
}
