import BeaconAdvertising
import Beacons
import EventLoop
import Glibc
import Instants

/// A recording that is sent to its client through a socket that never blocks the daemon.
///
/// Only a socket can be non-blocking for a single call; the flags of a pipe are shared with the process at its other end. The recording
/// ends when the other end is closed or shut down for writing, when its time is over, or when `end` is called. Then the client has a
/// moment to read the rest.
public final class RecordingStream {
  /// The time for which a slow client can read the rest after the end.
  private static let patience = Span.seconds(5)

  private let loop: Loop
  private let socket: FileDescriptor
  private let clock: () -> Instant
  private let adapterName: Recording.AdapterName
  private var recording: Recording
  private var onEnd: (() -> Void)?
  private var io: IOSource?
  private lazy var timer = loop.timer { [unowned self] in recording.hasEnded ? finish() : end("the duration has passed") }
  private lazy var delivery = loop.deferred { [unowned self] in deliver() }

  /// - Parameters:
  ///   - socket: one end of a Unix stream; anything else is refused.
  ///   - clock: the source's, which its packets are stamped with.
  ///   - onEnd: called once, when nothing more is to be read, and never from inside this call.
  public init(
    _ loop: Loop, to socket: consuming FileDescriptor, _ recording: Recording, clock: @escaping () -> Instant,
    adapterName: @escaping Recording.AdapterName, onEnd: @escaping () -> Void
  ) throws(SystemCallError) {
    let (domain, type) = (try socket.option(SO_DOMAIN), try socket.option(SO_TYPE))
    guard domain == AF_UNIX, type == CInt(SOCK_STREAM.rawValue) else { throw SystemCallError(call: "getsockopt", code: EPROTOTYPE) }
    self.loop = loop
    self.socket = socket
    self.recording = recording
    self.clock = clock
    self.adapterName = adapterName
    self.onEnd = onEnd
    io = try loop.io(self.socket.number, .readable) { [unowned self] in follow($0) }
    timer.arm(after: recording.options.duration)
    delivery.trigger()
  }

  deinit {
    io?.cancel()
  }

  public func hear(_ packet: RawSpan, adapter: UInt16, at time: Instant) {
    recording.hear(packet, adapter: adapter, at: time, named: adapterName)
    delivery.trigger()
  }

  public func hear(_ report: AdvertisingReport, adapter: UInt16, at time: Instant) {
    recording.hear(report, adapter: adapter, at: time, named: adapterName)
    delivery.trigger()
  }

  /// Records a state of the device from this time on.
  func note(state text: String, at time: Instant) {
    recording.note(state: text, at: time)
    delivery.trigger()
  }

  /// Ends the recording; `reason` is a text for the log and the recording.
  public func end(_ reason: String) {
    recording.end(reason, at: clock())
    delivery.trigger()
  }

  private func follow(_ events: IOEvents) {
    if events.contains(.hangUp) || events.contains(.error) { return finish() }
    // Only an end of file is expected; any other input ends the recording as well.
    if events.contains(.readable), !recording.hasEnded { end("stopped by the client") }
    deliver()
  }

  private func deliver() {
    guard onEnd != nil else { return }
    while !recording.isDrained {
      let sent = recording.drain { waiting in
        max(0, send(socket.number, waiting.baseAddress, waiting.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)))
      }
      guard sent > 0 else { break }
    }
    if recording.hasEnded && recording.isDrained { return finish() }
    if recording.hasEnded && io?.interest.contains(.readable) == true { timer.arm(after: Self.patience) }
    do throws(SystemCallError) {
      let outgoing: IOEvents = recording.isDrained ? [] : .writable
      try io?.setInterest(recording.hasEnded ? outgoing : outgoing.union(.readable))
    } catch {
      finish()
    }
  }

  private func finish() {
    guard let onEnd else { return }
    self.onEnd = nil
    io?.cancel()
    timer.disarm()
    loop.enqueue(onEnd)
  }
}

extension FileDescriptor {
  /// Returns an option of SOL_SOCKET, an integer.
  fileprivate borrowing func option(_ name: CInt) throws(SystemCallError) -> CInt {
    var (value, length): (CInt, socklen_t) = (0, socklen_t(MemoryLayout<CInt>.size))
    guard getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 else { throw .last("getsockopt") }
    return value
  }
}
