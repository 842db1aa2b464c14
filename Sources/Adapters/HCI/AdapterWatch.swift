import EventLoop
import Glibc

/// Reports that an adapter came, went, or was switched on or off, so that its owner reads `HCIAdapter.all()` again.
///
/// An adapter that was just plugged in has no address; the next change reports one. The watch needs CAP_NET_RAW.
public final class AdapterWatch {
  private let socket: HCISocket
  private var io: IOSource?
  private let onChange: () -> Void

  public convenience init(_ loop: Loop, onChange: @escaping () -> Void) throws(HCIError) {
    try self.init(loop, .watchingAdapters(), onChange: onChange)
  }

  init(_ loop: Loop, _ socket: consuming HCISocket, onChange: @escaping () -> Void) throws(HCIError) {
    self.socket = socket
    self.onChange = onChange
    do throws(SystemCallError) {
      io = try loop.io(self.socket.descriptor, .readable) { [unowned self] _ in receive() }
    } catch {
      throw .systemCall(error)
    }
  }

  deinit {
    io?.cancel()
  }

  /// Reads all events and reports only that something changed, since their details may already be outdated.
  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 512)
    var hasChanged = false
    while recv(socket.descriptor, &buffer, buffer.count, 0) > 0 { hasChanged = true }
    if hasChanged { onChange() }
  }
}
