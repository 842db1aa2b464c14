import Instants
import Regions

/// A transition of a region, numbered in chronological order in the sequence of the region's owner.
public struct RegionEvent: Hashable, Sendable {
  public let sequence: UInt64
  public let transition: RegionTransition

  public init(sequence: UInt64, transition: RegionTransition) {
    self.sequence = sequence
    self.transition = transition
  }
}
