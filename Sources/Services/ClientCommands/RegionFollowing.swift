public import Events
public import Failures

/// The output of a command that follows regions.
public protocol RegionFollowingOutput: EventOutput {
  func begin(with regions: [RegionStatus])
}

/// Shows the states of regions, and then the events that follow.
///
/// Events that arrive before the states wait for them, so that none is missed in between.
public final class RegionFollowing {
  /// Ends the command.
  public var onEnd: () -> Void = {}

  private let output: any RegionFollowingOutput
  /// The events that wait for the states; nil once events need not wait.
  private var early: [Event]?

  /// - Parameter showsStates: whether `take` of the states is called.
  public init(showsStates: Bool, output: any RegionFollowingOutput) {
    (early, self.output) = (showsStates ? [] : nil, output)
  }

  public func take(_ events: [Event]) {
    guard early == nil else {
      early? += events
      return
    }
    show(events)
  }

  /// Takes the states of the regions, or the failure of the request for them.
  public func take(_ states: Result<[RegionStatus], Failure>) {
    switch states {
    case .success(let regions): output.begin(with: regions)
    case .failure(let failure): output.note("the state of the regions is unavailable: \(failure.description)")
    }
    let waiting = early ?? []
    early = nil
    show(waiting)
  }

  private func show(_ events: [Event]) {
    output.show(events)
    if output.isClosed { onEnd() }
  }
}
