import Instants

/// The course of a run of simulated devices: they connect, publish, and wait until everything is acknowledged.
public struct RunSchedule: Sendable {
  public enum Phase: Hashable, Sendable {
    /// No message is due, so that none is late because its device is not connected yet.
    case connecting
    case publishing
    /// The devices publish nothing new, and wait for acknowledgements.
    case draining
    case over
  }

  /// The longest wait for the first connection of all devices.
  static let longestStart = Span.seconds(120)
  /// The longest wait for acknowledgements after the run.
  static let longestEnd = Span.seconds(60)
  private static let keepAliveInterval = Span.seconds(1)
  private static let summaryInterval = Span.seconds(5)

  public private(set) var phase = Phase.connecting
  /// The time since the start after which the devices began to publish; nil before.
  public private(set) var connectingTime: Span?
  private let length: Span
  private let start: Instant
  /// The beginning and the end of the publishing.
  private var begin = Instant.never
  private var end = Instant.never
  private var isStopped = false
  private var keepAliveAt: Instant
  private var summaryAt = Instant.never

  public init(_ length: Span, at now: Instant) {
    (self.length, start) = (length, now)
    keepAliveAt = now + Self.keepAliveInterval
  }

  /// Ends the publishing at the next step.
  public mutating func stop() { isStopped = true }

  /// Returns the phase now.
  ///
  /// - Parameters:
  ///   - missing: the number of devices without a connection
  ///   - waiting: the number of messages without an acknowledgement
  public mutating func advance(to now: Instant, missing: Int, waiting: Int) -> Phase {
    if phase == .connecting, missing == 0 || now - start >= Self.longestStart || isStopped {
      (phase, connectingTime, begin, end, summaryAt) = (.publishing, now - start, now, now + length, now + Self.summaryInterval)
    }
    if phase == .publishing, isStopped { end = min(end, now) }
    if phase == .publishing, now >= end { phase = .draining }
    if phase == .draining, waiting == 0 || now >= end + Self.longestEnd { phase = .over }
    return phase
  }

  /// Returns the time on the devices' clock of messages, which begins with the publishing; nil if none is due.
  public func messageTime(at now: Instant) -> Instant? { phase == .publishing ? Instant(microseconds: (now - begin).microseconds) : nil }

  /// Returns whether devices check now whether a keep-alive is due.
  public mutating func takeKeepAliveCheck(at now: Instant) -> Bool { Self.take(&keepAliveAt, Self.keepAliveInterval, now) }

  /// Returns whether to print a summary now.
  public mutating func takeSummary(at now: Instant) -> Bool { Self.take(&summaryAt, Self.summaryInterval, now) }

  private static func take(_ due: inout Instant, _ interval: Span, _ now: Instant) -> Bool {
    guard now >= due else { return false }
    due = now + interval
    return true
  }
}
