public import BeaconAdvertising
public import Beacons
import EventLoop
import Glibc

/// The receiving end of a recording: reads and counts its packets, and passes on whole records only.
public final class RecordingReader {
  private let loop: Loop
  private let near: FileDescriptor
  private var far: FileDescriptor?
  private var io: IOSource?
  private var decoder = CaptureDecoder()
  private var partial: [UInt8] = []
  private var handedOn = 0
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
  /// Receives the sightings in the packets, and their senders if `keepsSenders` is set.
  public var onSightings: ([Sighting], [BluetoothAddress]) -> Void = { _, _ in }
  /// Whether the recording has ended.
  public private(set) var hasEnded = false

  private let onRecords: (ArraySlice<UInt8>) -> Void
  private let onEnd: () -> Void

  public init(_ loop: Loop, onRecords: @escaping (ArraySlice<UInt8>) -> Void, onEnd: @escaping () -> Void) throws(SystemCallError) {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last("socketpair") }
    self.loop = loop
    near = FileDescriptor(owning: ends[0])
    far = FileDescriptor(owning: ends[1])
    self.onRecords = onRecords
    self.onEnd = onEnd
    io = try loop.io(ends[0], .readable) { [unowned self] _ in read() }
  }

  deinit {
    io?.cancel()
  }

  /// The end for the writer; nil once it was released.
  public var farEnd: CInt? {
    if far == nil { nil } else { far?.number }
  }

  /// Releases the writer's end, of which the daemon has a duplicate: when that closes, the recording has ended.
  public func releaseFarEnd() {
    _ = far.take()
  }

  /// Whether `onSightings` receives senders.
  public var keepsSenders: Bool {
    get { decoder.keepsSenders }
    set { decoder.keepsSenders = newValue }
  }

  /// Sets which adapters count and their RSSI offsets.
  public func configure(_ settings: [AdapterSettings]) { decoder.configure(settings) }

  /// The adapters so far.
  public var roster: AdapterRoster { decoder.roster }
  /// The counts of the advertisements so far.
  public var counts: AdvertisementCounts { decoder.counts }
  /// The reason of the end; nil if the recording was cut off.
  public var reason: String? { Recording.reason(inLastNote: decoder.note) }

  /// Whether reading is suspended; the sender then queues packets, and drops those that exceed its queue.
  public var isHeld = false {
    didSet {
      do throws(SystemCallError) {
        try io?.setInterest(isHeld ? [] : .readable)
      } catch {
        end()
      }
    }
  }

  /// Ends the recording, and reads the remaining packets.
  /// It waits at most `patience` milliseconds for each of them.
  public func stop(patience: CInt) {
    guard !hasEnded else { return }
    shutdown(near.number, CInt(SHUT_WR))
    while !hasEnded {
      var request = pollfd(fd: near.number, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, patience) > 0 else { return }
      read()
    }
  }

  private func read() {
    let count = recv(near.number, &buffer, buffer.count, CInt(MSG_DONTWAIT))
    if count < 0 && [EAGAIN, EINTR].contains(errno) { return }
    guard count > 0 else { return end() }
    var sightings: [Sighting] = []
    do throws(CaptureError) {
      try decoder.decode(buffer.span.bytes.extracting(0..<count), into: &sightings)
    } catch {
      return end()
    }
    onSightings(sightings, decoder.takeSenders())
    partial += buffer[..<count]
    let whole = decoder.wholeOctets - handedOn
    handedOn += whole
    onRecords(partial[..<whole])
    partial.removeFirst(whole)
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    io?.cancel()
    onEnd()
  }
}
