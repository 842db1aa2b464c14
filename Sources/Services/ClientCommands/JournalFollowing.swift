public import Events
public import Failures
public import Instants

/// The output of a command that shows events.
public protocol EventOutput: AnyObject {
  /// Whether its reader has closed it.
  var isClosed: Bool { get }
  func show(_ events: [Event])
  /// Shows a sentence that is not part of the output.
  func note(_ text: String)
}

/// The events of the journal that a command shows, and its end after the last one or with the daemon.
public final class JournalFollowing {
  /// The selection of events.
  public struct Selection: Hashable, Sendable {
    /// The time of the first event; nil for all times.
    public var since: Instant?
    /// The names of regions; empty for all events.
    public var regions: [String]

    public init(since: Instant?, regions: [String]) { (self.since, self.regions) = (since, regions) }

    /// Returns whether to show an event; a damaged event may belong to any region.
    func contains(_ event: Event) -> Bool {
      if let since, let time = event.time, time < since { return false }
      return regions.isEmpty || event.damagedSequences != nil || event.region.map(regions.contains) ?? false
    }
  }

  /// Ends the command.
  public var onEnd: (Failure?) -> Void = { _ in }
  /// Runs when all earlier events have been shown and new ones follow.
  public var onCaughtUp: () -> Void = {}

  private let selection: Selection
  private let isContinuous: Bool
  private let output: any EventOutput
  /// The selected regions that have no event yet.
  private var unseen: [String]
  private var damagedCount: UInt64 = 0

  /// - Parameter isContinuous: whether new events follow the earlier ones; otherwise the command ends after these.
  public init(_ selection: Selection, isContinuous: Bool, output: any EventOutput) {
    (self.selection, self.isContinuous, self.output, unseen) = (selection, isContinuous, output, selection.regions)
  }

  public func take(_ events: [Event]) {
    if !unseen.isEmpty { unseen.removeAll { name in events.contains { $0.region == name } } }
    let selected = events.filter(selection.contains)
    for event in selected { damagedCount += event.damagedSequences.map { UInt64($0.count) } ?? 0 }
    output.show(selected)
    if output.isClosed { onEnd(nil) }
  }

  /// Notes that all events up to now have been taken.
  public func noteCaughtUp() {
    let missing = unseen.first.map { "the journal has no region \"\($0)\"; `beaconmon status` lists the configured regions" }
    guard isContinuous else { return end(missing) }
    onCaughtUp()
    if let missing { output.note("\(missing); waiting for its first event") }
    unseen = []
  }

  /// Notes that the daemon has stopped, or is back.
  public func note(isAvailable: Bool) {
    if isContinuous {
      output.note(DaemonWatch.note(isAvailable: isAvailable))
    } else if !isAvailable {
      onEnd(Failure(.unavailable, "beaconmond has stopped; start it again"))
    }
  }

  /// Ends the command because the daemon fails to answer.
  public func fail(_ message: String) { onEnd(Failure(.unavailable, message)) }

  private func end(_ missing: String?) {
    let damaged = damagedCount == 0 ? nil : Self.damage(damagedCount)
    if let missing, let damaged { output.note("\(missing)\n\(damaged)") }
    onEnd((damaged ?? missing).map { Failure(.dataError, $0) })
  }

  private static func damage(_ count: UInt64) -> String {
    count == 1
      ? "1 event is damaged or lost and cannot be shown; see `beaconmon status`"
      : "\(count) events are damaged or lost and cannot be shown; see `beaconmon status`"
  }
}
