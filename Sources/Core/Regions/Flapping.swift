import Geodesy
import Instants

/// The number of needless exits and enters of a region in the last one to two days, and the setting that would reduce them.
public struct Flapping: Hashable, Sendable {
  /// The setting of the region that would have prevented most flaps.
  public enum Advice: Hashable, Sendable {
    case exitDelay(Span)
    /// A distance in metres.
    case leaveBeyond(Double)
    case enterSightings(Int)
    /// A radius in metres.
    case radius(Double)
  }

  public let count: Int
  /// The advice, or `nil` while flaps are so rare that they may be chance.
  public let advice: Advice?

  private static let seldom = 3

  public init(count: Int, advice: Advice?) {
    self.count = count
    self.advice = advice
  }

  init(_ history: RegionHistory, of region: Region) {
    let (silences, departures, strays) = (history.silences, history.departures, history.strays)
    count = silences + departures + strays
    if silences >= max(departures, strays, Self.seldom) {
      // A quarter more than the longest absence, rounded up to a value that a person would write.
      let wanted = Int64((history.longestAbsence.seconds * 1.25 / 5).rounded(.up)) * 5
      advice = .exitDelay(min(.seconds(3600), Span(microseconds: wanted * 1_000_000)))
    } else if departures >= max(strays, Self.seldom), let nearness = region.beaconRegion?.nearness {
      advice = .leaveBeyond((nearness.leaveBeyond * 1.5 * 2).rounded() / 2)
    } else if departures >= Self.seldom, let circle = region.circularRegion?.circle {
      advice = .radius((circle.radius * 1.5 / 10).rounded(.up) * 10)
    } else if strays >= Self.seldom {
      advice = .enterSightings(max(2, (region.beaconRegion?.entry?.sightings ?? 1) + 1))
    } else {
      advice = nil
    }
  }
}
