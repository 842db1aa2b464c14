import Instants
import Regions

/// What happened at a region, numbered among those of the region's owner in the order in which it happened.
public struct RegionEvent: Hashable, Sendable {
  public let sequence: UInt64
  public let transition: RegionTransition

  public init(sequence: UInt64, transition: RegionTransition) {
    self.sequence = sequence
    self.transition = transition
  }
}
