import Beacons
import Instants

/// The silences of all beacons together: the receiver was off the air, or something drowned them all.
///
/// A few beacons can fall silent together by chance or behind a body, so their silence says nothing about the receiver.
///
/// Packets that come at random with a rate of r leave a gap of `gapFactor` / r once in e^`gapFactor` packets.
struct ReceptionPauses {
  private static let gapFactor = 14.0
  private static let shortest = Span.seconds(1)
  /// The time of the recent rate.
  private static let window = Span.seconds(5)
  /// The recent packets per second below which a silence says nothing.
  private static let leastRate = 4.0
  /// The recent beacons below which a silence says nothing.
  private static let leastBeacons = 3
  /// A longer silence is the end of a walk, or a machine that slept, and still one pause.
  private static let longest = Span.seconds(30)

  private(set) var count: UInt64 = 0
  private(set) var seconds = 0.0
  private var last: Instant?
  private var windowStart = Instant(microseconds: .min)
  private var windowCount = 0
  private var rate = 0.0
  /// The beacons of the window, at most `leastBeacons`, and whether there were enough in the one before.
  private var beacons: Set<BeaconIdentity> = []
  private var hasEnough = false

  mutating func hear(_ beacon: BeaconIdentity, at time: Instant) {
    defer { last = max(time, last ?? time) }
    guard let last else { return windowStart = time }
    let gap = time - last
    if hasEnough, rate >= Self.leastRate, gap > max(Self.shortest, .seconds(Self.gapFactor / rate)) {
      count += 1
      seconds += min(gap, Self.longest).seconds
    }
    windowCount += 1
    if beacons.count < Self.leastBeacons { beacons.insert(beacon) }
    let length = time - windowStart
    guard length >= Self.window else { return }
    rate = Double(windowCount) / length.seconds
    hasEnough = beacons.count == Self.leastBeacons
    (windowStart, windowCount, beacons) = (time, 0, [])
  }
}
