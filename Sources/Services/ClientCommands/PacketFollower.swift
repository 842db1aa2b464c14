import Failures
import Instants
import Scheduling

/// The daemon as a command that needs its packets sees it.
public protocol PacketLink: AnyObject {
  /// Requests the packets that the daemon receives from now on. `handler` is never called inside this call.
  ///
  /// The daemon sends them while the result is held.
  func requestPackets(_ handler: @escaping (PacketEvent) -> Void) throws(Failure) -> any PacketStream
}

/// The packets that the daemon sends after one request.
public protocol PacketStream: AnyObject {
  /// The number of packets that the daemon has received and could not send.
  var lostPackets: Int { get }
}

public enum PacketEvent: Hashable, Sendable {
  case began
  /// The daemon refuses the request.
  ///
  /// - Parameters:
  ///   - reason: the words of the daemon.
  ///   - failure: the end of a command that cannot wait.
  case refused(reason: String, failure: Failure)
  case ended
}

/// Follows the packets of the daemon across its restarts, for a walk that cannot be repeated.
///
/// A refusal ends the command until the first packets come. It is retried afterwards, because the walk so far would be lost.
public final class PacketFollower {
  /// The time until packets are requested again, after the daemon has ended or refused them.
  static let pause = Span.seconds(5)

  /// Runs when the daemon sends packets for the first time.
  public var onBegin: () -> Void = {}
  /// Receives a sentence for the user; nil if the last one no longer applies.
  public var onNote: (String?) -> Void = { _ in }
  public var onEnd: (Failure) -> Void = { _ in }
  /// Whether the daemon has sent packets before, so that a failure must not lose them.
  public private(set) var hasBegun = false

  private let link: any PacketLink
  private let scheduler: any Scheduler
  private var stream: (any PacketStream)?
  /// The packets that were lost in streams that have ended.
  private var lostBefore = 0
  private var isAvailable = true
  private var latestNote: String?
  /// Drops the events of an earlier request.
  private let answers = StaleAnswerFilter()
  private var retry: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler, _ link: any PacketLink) {
    (self.scheduler, self.link) = (scheduler, link)
    retry = scheduler.timer { [unowned self] in begin() }
  }

  /// The number of packets that were lost since the first request.
  public var lostPackets: Int { lostBefore + (stream?.lostPackets ?? 0) }

  /// Requests the packets. Call when a daemon is available.
  public func begin() {
    retry?.arm(at: .never)
    lostBefore = lostPackets
    stream = nil
    answers.renew()
    do throws(Failure) {
      stream = try link.requestPackets(answers.current { [weak self] in self?.take($0) })
    } catch {
      onEnd(error)
    }
  }

  /// Call when the daemon has gone, and when it has returned.
  public func presenceChanged(_ isAvailable: Bool) {
    self.isAvailable = isAvailable
    retry?.arm(at: .never)
    note(isAvailable ? nil : DaemonWatch.absence)
    if isAvailable { begin() }
  }

  private func take(_ event: PacketEvent) {
    switch event {
    case .began:
      note(nil)
      guard !hasBegun else { return }
      hasBegun = true
      onBegin()
    case .refused(let reason, let failure):
      guard hasBegun else { return onEnd(failure) }
      note("beaconmond sends no packets: \(reason); retrying")
      tryAgainLater()
    case .ended: tryAgainLater()
    }
  }

  private func tryAgainLater() {
    // A daemon that returns gets the request at once.
    if isAvailable { retry?.arm(at: scheduler.now + Self.pause) }
  }

  private func note(_ text: String?) {
    // A reason that lasts is given once.
    guard text != latestNote else { return }
    latestNote = text
    onNote(text)
  }
}
