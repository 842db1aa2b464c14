import Instants
import Locations

/// An entry of the source history that `status` shows: a source was switched on or off, and why.
public struct SourceSwitch: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// A listener requests an accuracy in metres; zero is the best.
    case wanted(metres: Double)
    /// The preceding sources do not deliver the requested accuracy.
    case supplements
    /// Another source delivers the requested accuracy.
    case notNeeded
    /// No listener is left.
    case notRequested
    /// The configuration was reloaded.
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
    case .wanted(0): "the best accuracy is requested"
    case .wanted(let metres): "\(Int(metres.rounded(.up))) m are requested"
    case .supplements: "no preferred source has such a fix"
    case .notNeeded: "another source suffices"
    case .notRequested: "no program requests locations"
    case .replaced: "the config was reloaded"
    }
  }
}
