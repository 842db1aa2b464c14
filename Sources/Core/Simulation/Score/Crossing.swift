import Events
import Instants
import Proximity
import Regions

/// An enter or exit that an engine reported.
public struct Crossing: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case enter
    case exit
  }

  public let kind: Kind
  public let time: Instant

  public init(_ kind: Kind, at time: Instant) {
    self.kind = kind
    self.time = time
  }

  /// Returns nil for a change of state that is not a crossing.
  init?(_ transition: RegionTransition) {
    switch transition.kind {
    case .enter: self.init(.enter, at: transition.time)
    case .exit: self.init(.exit, at: transition.time)
    default: return nil
    }
  }
}
