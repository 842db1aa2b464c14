/// How it stands with a source.
public struct LocationHealth: Hashable, Sendable {
  public enum State: String, Hashable, Sendable {
    /// Nobody needs it.
    case off
    /// It was switched on and has said nothing yet.
    case starting
    /// It says where the device is.
    case fixing
    /// It is there and does not.
    case silent
    /// It is not there.
    case gone
    /// This program may not use it.
    case denied
  }

  public var state: State
  /// What is the matter and what to do; nil when nothing is.
  public var reason: String?
  /// What it knows besides and what changes with every epoch, such as how many satellites it uses.
  public var detail: String?

  public init(_ state: State, _ reason: String? = nil, detail: String? = nil) {
    self.state = state
    self.reason = reason
    self.detail = detail
  }

  /// The reason with the detail.
  public var words: String? { reason.map { reason in detail.map { "\(reason) (\($0))" } ?? reason } }
}
