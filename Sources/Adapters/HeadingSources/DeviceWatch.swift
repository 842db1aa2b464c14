import EventLoop
import Glibc

/// Watches for devices that come and go, by the records that udev keeps of them. It costs nothing while no device does.
///
/// Events of the kernel itself do not reach a service with a network of its own, as that of beaconmond. Before udev runs its folder is
/// missing; then the nearest folder above is watched until it appears.
final class DeviceWatch {
  static let records = "/run/udev/data"

  private let records: String
  /// Nil on a system without inotify, and if all of the user's are in use.
  private let notifications: Int32?
  private let onChange: () -> Void
  private var io: IOSource?
  /// The watch of the records, and that of a folder above; nil for none.
  private var watch: Int32?
  private var substitute: Int32?

  /// - Parameters:
  ///   - records: the folder of udev's records; another one in tests.
  ///   - onChange: called after the records have changed, of whichever device.
  init(_ loop: Loop, records: String, onChange: @escaping () -> Void) {
    (self.records, self.onChange) = (records, onChange)
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    notifications = number >= 0 ? number : nil
    guard let notifications else { return }
    // A failure is like a machine without udev: `isWatching` stays false.
    io = try? loop.io(notifications, .readable) { [unowned self] _ in receive() }
    if io != nil { renew() }
  }

  deinit {
    io?.cancel()
    if let notifications { close(notifications) }
  }

  /// Whether changes of devices are noticed. Without udev they are not.
  var isWatching: Bool { watch != nil }

  private func receive() {
    guard let notifications else { return }
    // The names are discarded: which devices are of use is read from the devices themselves.
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(notifications, &buffer, buffer.count) > 0 {}
    let wasWatching = isWatching
    renew()
    if wasWatching || isWatching { onChange() }
  }

  /// Watches the records, which may have been removed or made since the last call.
  private func renew() {
    watch = added(records)
    guard watch == nil else { return forgetSubstitute() }
    var folder = records[...]
    while let end = folder.lastIndex(of: "/"), end > folder.startIndex {
      folder = folder[..<end]
      guard let found = added(String(folder)) else { continue }
      if found != substitute { forgetSubstitute() }
      substitute = found
      break
    }
    // They may have appeared meanwhile.
    watch = added(records)
    if watch != nil { forgetSubstitute() }
  }

  private func forgetSubstitute() {
    if let substitute, let notifications { inotify_rm_watch(notifications, substitute) }
    substitute = nil
  }

  /// Watches a folder, also one that is watched already; returns nil if there is none.
  private func added(_ folder: String) -> Int32? {
    guard let notifications else { return nil }
    let number = inotify_add_watch(notifications, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR))
    return number >= 0 ? number : nil
  }
}
