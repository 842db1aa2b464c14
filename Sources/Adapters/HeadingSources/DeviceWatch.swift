import EventLoop
import Glibc

/// Watches for devices that come and go, by the records that udev keeps of them. It costs nothing while no device does.
///
/// Events of the kernel itself do not reach a service with a network of its own, as that of beaconmond.
final class DeviceWatch {
  static let records = "/run/udev/data"

  private let notifications: FileDescriptor
  private var io: IOSource?

  /// Returns nil on a system without udev.
  ///
  /// - Parameter onChange: called after the records have changed, of whichever device.
  init?(_ loop: Loop, records: String, onChange: @escaping () -> Void) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { return nil }
    notifications = FileDescriptor(owning: number)
    guard inotify_add_watch(number, records, UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE)) >= 0 else { return nil }
    do throws(SystemCallError) {
      io = try loop.io(number, .readable) { [unowned self] _ in
        drain()
        onChange()
      }
    } catch {
      return nil
    }
  }

  deinit {
    io?.cancel()
  }

  /// Discards the names of the records: which devices are of use is read from the devices themselves.
  private func drain() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(notifications.number, &buffer, buffer.count) > 0 {}
  }
}
