import EventLoop
import Glibc

/// The name in the audit log of the person who runs a command.
enum Actor {
  static var present: String {
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    return "\(user) on \(DeviceIdentity.hostName)"
  }
}
