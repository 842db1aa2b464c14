/// The health of a location source.
public struct LocationHealth: Hashable, Sendable {
  public enum State: String, Hashable, Sendable {
    /// No listener needs the source.
    case off
    /// The source was switched on and has not reported yet.
    case starting
    /// The source reports fixes.
    case fixing
    /// The source is available but reports no fix.
    case silent
    /// The device is where the source does not work, as outside of every venue.
    case away
    /// The source is unavailable.
    case gone
    /// The daemon has no permission to use the source.
    case denied
  }

  public var state: State
  /// The problem and its remedy; nil if there is no problem.
  public var reason: String?
  /// Further details that change with every epoch, such as the number of satellites in use.
  public var detail: String?

  public init(_ state: State, _ reason: String? = nil, detail: String? = nil) {
    self.state = state
    self.reason = reason
    self.detail = detail
  }

  /// The reason with the detail.
  public var words: String? { reason.map { reason in detail.map { "\(reason) (\($0))" } ?? reason } }
}
