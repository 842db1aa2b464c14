import Instants
import Locations

/// A source was switched on or off, and why: the journal that `status` shows.
public struct SourceSwitch: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// Somebody wants to know where the device is, to so many metres; zero is the best.
    case wanted(metres: Double)
    /// Those before it have not done what is wanted.
    case helpsOut
    /// Another one does.
    case notNeeded
    /// Nobody wants to know any more.
    case nobodyAsks
    /// The config was read again.
    case replaced
  }

  public var time: Instant
  public var source: Location.Source
  public var isOn: Bool
  public var cause: Cause
}

extension SourceSwitch.Cause: CustomStringConvertible {
  public var description: String {
    switch self {
    case .wanted(0): "the best is wanted"
    case .wanted(let metres): "\(Int(metres.rounded(.up))) m are wanted"
    case .helpsOut: "the sources before it give no such fix"
    case .notNeeded: "another one suffices"
    case .nobodyAsks: "nobody asks"
    case .replaced: "the config was read again"
    }
  }
}
