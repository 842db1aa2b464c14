public import Failures
public import Instants
public import Scheduling

/// The file of a recording, which may be a pipe whose reader is slow.
public protocol RecordedFile: AnyObject {
  /// Whether the file must get no more packets until some are written.
  var isFull: Bool { get }
  /// The first error of writing, after which nothing more is written.
  var obstacle: RecordedFileObstacle? { get }
  func write(_ records: ArraySlice<UInt8>)
}

public enum RecordedFileObstacle: Hashable, Sendable {
  /// The reader of a pipe has enough.
  case closedPipe
  case failure(String)
}

/// The packets that the daemon sends for a recording.
public protocol RecordedPackets: AnyObject {
  /// The advertisements so far.
  var advertisements: UInt64 { get }
  /// Whether reading is suspended, so that the daemon drops what exceeds its queue.
  var isHeld: Bool { get set }
  /// The reason of the daemon for the end of the recording; nil if it was cut off.
  var reason: String? { get }
}

/// A recording of the packets of the daemon into a file: its start, its end, and the failure that its user sees.
public final class PacketRecording {
  /// The time for a daemon to end a recording that has reached its duration.
  static let grace = Span.milliseconds(4500)

  /// Requests the packets; `noteStart` follows when the daemon has accepted.
  public var onRequest: () -> Void = {}
  /// Receives the end, with the reason why the recording could not begin.
  public var onEnd: (Failure?) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let duration: Span
  private let file: any RecordedFile
  private let packets: any RecordedPackets
  private let hearing: HearingCheck
  private var began: Instant
  private var overdue: (any SchedulerTimer)?
  /// Whether the daemon has not ended the recording after its duration.
  private var isOverdue = false
  /// The obstacle that kept the daemon from receiving, at the end of an empty recording.
  private var obstacle: String?

  /// - Parameter duration: after which the daemon ends the recording.
  public init(_ scheduler: any Scheduler, duration: Span, _ file: any RecordedFile, _ packets: any RecordedPackets) {
    (self.scheduler, self.duration, self.file, self.packets) = (scheduler, duration, file, packets)
    began = scheduler.now
    hearing = HearingCheck(scheduler)
    overdue = scheduler.timer { [unowned self] in
      isOverdue = true
      onEnd(nil)
    }
  }

  /// The time since `begin`.
  public var elapsed: Span { scheduler.now - began }

  /// Requests the packets if the daemon can receive beacons. The file stays empty until then.
  public func begin(_ ask: @escaping HearingCheck.Question) {
    began = scheduler.now
    hearing.begin(ask) { [unowned self] obstacle in
      if let obstacle { onEnd(Failure(.unavailable, obstacle)) } else { onRequest() }
    }
  }

  /// Call when the daemon has accepted the request.
  public func noteStart() { overdue?.arm(at: scheduler.now + duration + Self.grace) }

  public func take(_ records: ArraySlice<UInt8>) {
    file.write(records)
    settle()
  }

  /// Ends the recording if the file has failed, and suspends the packets while it is full. Call when the file has written.
  public func settle() {
    if file.obstacle != nil { onEnd(nil) }
    if packets.isHeld != file.isFull { packets.isHeld = file.isFull }
  }

  /// Ends the recording because the daemon has ended its packets. Asks for the obstacle before if the recording is empty.
  public func noteEnd() {
    guard packets.advertisements == 0 else { return onEnd(nil) }
    hearing.again { [unowned self] in
      obstacle = $0
      onEnd(nil)
    }
  }

  /// The failure of writing, for which no summary is shown; nil if the file is complete or its reader has closed it.
  public var writeFailure: Failure? {
    if case .failure(let text)? = file.obstacle { Failure(.ioError, text) } else { nil }
  }

  /// Returns the failure that follows the summary; nil if the recording has succeeded.
  ///
  /// - Parameter name: of the file.
  public func failure(of name: String) -> Failure? {
    if packets.reason == nil, file.obstacle == nil {
      return Failure(
        .unavailable, "beaconmond \(isOverdue ? "does not respond" : "has stopped"); \(name) contains the packets received until then")
    }
    return obstacle.map { Failure(.unavailable, $0) }
  }
}
