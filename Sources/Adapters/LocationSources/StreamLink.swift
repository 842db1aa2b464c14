import EventLoop
import Glibc
import Instants
import Locations
import Records

/// The connection to a receiver by TCP or a serial line, which reconnects after each loss and limits the rate of reading.
final class StreamLink {
  /// Runs when the connection is established.
  var onOpen: () -> Void = {}
  var onOctets: (ArraySlice<UInt8>) -> Void = { _ in }
  /// Receives the health after a lost or failed connection; the next attempt follows automatically.
  var onLost: (LocationHealth) -> Void = { _ in }

  /// The number of pauses in reading because the receiver exceeded `OctetBudget`.
  private(set) var pauses = 0
  /// Runs at the first pause of a connection.
  var onFlood: () -> Void = {}

  private let loop: Loop
  private let address: ReceiverAddress
  private var dial: TCPDial?
  private var stream: OctetStream?
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(15))
  /// The budget over all connections, so that a peer does not gain by reconnecting.
  private lazy var budget = OctetBudget(at: loop.now)
  private var isFlooded = false
  private lazy var resumption = loop.timer { [unowned self] in stream?.isPaused = false }
  private lazy var attempt = loop.timer { [unowned self] in begin() }

  init(_ loop: Loop, to address: ReceiverAddress) {
    self.loop = loop
    self.address = address
  }

  func open() {
    attempt.arm(after: .zero)
  }

  func close() {
    attempt.disarm()
    backoff.reset()
    release()
  }

  func send(_ text: String) {
    stream?.send(Array(text.utf8))
  }

  /// Call after valid data, so that the next loss starts with the shortest pause.
  func noteSense() {
    backoff.reset()
  }

  /// Disconnects from an unexpected service, and retries after a pause.
  func refuse(_ reason: String, tryAgainAfter pause: Span) {
    release()
    attempt.arm(after: pause)
    onLost(LocationHealth(.gone, reason))
  }

  private func begin() {
    switch address {
    case .tcp(let address):
      dial = TCPDial(loop, host: address.host, port: address.port) { [unowned self] result in
        switch result {
        case .success(let stream): take(stream)
        case .failure(let failure):
          // Without IP sockets, no name can be resolved either.
          lose(
            LocationHealth(
              .gone,
              ServiceUnit.hasNetwork
                ? failure.description : "the service has no access to the network; install the drop-in \(LocationDropIn.path)"))
        }
      }
    case .serial(let path, let baud):
      do throws(SystemCallError) {
        take(try SerialLine.open(loop, path, baud: baud))
      } catch {
        lose(SerialLine.health(of: path, after: error))
      }
    }
  }

  private func take(_ stream: OctetStream) {
    self.stream = stream
    isFlooded = false
    stream.onOctets = { [unowned self] in receive($0) }
    stream.onEnd = { [unowned self] in lose(health(after: $0)) }
    onOpen()
  }

  private func receive(_ octets: ArraySlice<UInt8>) {
    let pause = budget.spend(octets.count, at: loop.now)
    if let pause {
      pauses += 1
      stream?.isPaused = true
      resumption.arm(after: pause)
    }
    onOctets(octets)
    guard pause != nil, !isFlooded, stream != nil else { return }
    isFlooded = true
    onFlood()
  }

  private func health(after error: SystemCallError?) -> LocationHealth {
    switch address {
    case .tcp: LocationHealth(.gone, error?.description ?? "the connection was closed")
    case .serial(let path, _): SerialLine.health(of: path, after: error)
    }
  }

  private func lose(_ health: LocationHealth) {
    release()
    attempt.arm(after: &backoff)
    onLost(health)
  }

  /// Releases the objects later, because their callbacks may still use them.
  private func release() {
    let over = (dial, stream)
    (dial, stream) = (nil, nil)
    resumption.disarm()
    over.0?.cancel()
    over.1?.onOctets = { _ in }
    over.1?.onEnd = { _ in }
    loop.enqueue { _ = over }
  }

  /// Returns the counts of lines, with the number of pauses if there were any.
  func counted(_ lines: LineStatistics) -> LineStatistics {
    var lines = lines
    if pauses > 0 { lines.limited = UInt64(pauses) }
    return lines
  }
}

/// The drop-in that permits the unit of the service to use the network, devices and the clock.
enum LocationDropIn {
  static let path = "/usr/share/beaconmon/location.conf"
}

/// A limit for the octets that are read from a peer, which is above the rate of any receiver.
///
/// It is a token bucket. A receiver with 25 epochs a second sends about 20 KB a second, and a gpsd with 40 satellites at 10 Hz about 45 KB.
/// When the bucket is empty, reading pauses, and the full buffers of the kernel slow down the peer.
struct OctetBudget {
  /// The rate in octets per second.
  static let rate = 65_536.0
  /// The octets that can arrive at once after a quieter time, such as the greeting and the backlog of gpsd.
  static let burst = 131_072.0
  /// The octets that are available after a pause, so that a flood does not wake the daemon for each packet.
  private static let portion = 16_384.0

  private var left = burst
  private var refilled: Instant

  init(at time: Instant) {
    refilled = time
  }

  /// Consumes octets that were read, and returns the duration of a pause in reading; `nil` if none is necessary.
  mutating func spend(_ octets: Int, at time: Instant) -> Span? {
    left = min(Self.burst, left + (time - refilled).seconds * Self.rate) - Double(octets)
    refilled = time
    return left < 0 ? .seconds((Self.portion - left) / Self.rate) : nil
  }
}

/// A serial line to a receiver: 8 data bits, no parity, one stop bit, raw mode (termios(3)).
enum SerialLine {
  static func open(_ loop: Loop, _ path: String, baud: Int) throws(SystemCallError) -> OctetStream {
    // Does not wait for a carrier, and does not become the controlling terminal.
    let raw = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard raw >= 0 else { throw .last("open", path) }
    let line = FileDescriptor(owning: raw)
    var settings = termios()
    guard tcgetattr(line.number, &settings) == 0 else { throw .last("tcgetattr", path) }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    settings.c_cflag &= ~tcflag_t(CSTOPB)
    guard let speed = speeds[baud], cfsetspeed(&settings, speed_t(speed)) == 0 else {
      throw SystemCallError(call: "cfsetspeed", subject: path, code: EINVAL)
    }
    guard tcsetattr(line.number, TCSANOW, &settings) == 0 else { throw .last("tcsetattr", path) }
    // Data from before the opening is outdated.
    tcflush(line.number, TCIFLUSH)
    return try OctetStream(loop, line)
  }

  private static let speeds = [
    4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600, 115_200: B115200, 230_400: B230400, 460_800: B460800,
    921_600: B921600,
  ]

  /// - Parameters:
  ///   - error: the error; `nil` at the end of the data.
  ///   - isService: whether the daemon is a service, which can access only the devices that its unit names.
  static func health(
    of path: String, after error: SystemCallError?, isService: Bool = ServiceUnit.isThisProcess()
  ) -> LocationHealth {
    switch error?.code {
    case ENOENT where isService:
      LocationHealth(.gone, "\(path) does not exist; plug in the receiver, and install the drop-in \(LocationDropIn.path)")
    case nil, EIO, ENXIO, ENODEV, ENOENT: LocationHealth(.gone, "\(path) does not exist; plug in the receiver")
    case EACCES, EPERM:
      LocationHealth(
        .denied,
        isService
          ? "permission denied for \(path); install the drop-in \(LocationDropIn.path), with a DeviceAllow= for this device"
          : "permission denied for \(path); add the user of beaconmond to the group dialout")
    case ENOTTY, EINVAL: LocationHealth(.gone, "\(path) is not a serial line, or does not support this speed")
    default: LocationHealth(.gone, error?.description)
    }
  }
}
