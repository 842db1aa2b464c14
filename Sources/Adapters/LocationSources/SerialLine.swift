import EventLoop
import Glibc
import Locations

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
