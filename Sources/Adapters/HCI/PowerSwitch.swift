import EventLoop
import Glibc

/// Switches one adapter on or off, and calls back once: nil when it is. Releasing it is enough to hear no more of it.
///
/// The older way, ioctl HCIDEVUP, would hold the loop for as long as the controller takes, which is seconds for one that hangs.
final class PowerSwitch {
  private let socket: HCISocket
  private let index: UInt16
  private var io: IOSource?
  private let completion: (HCIError?) -> Void

  init(
    _ loop: Loop, adapter index: UInt16, to power: SetPowered.Power, completion: @escaping (HCIError?) -> Void
  ) throws(HCIError) {
    socket = try .managing()
    self.index = index
    self.completion = completion
    do throws(SystemCallError) {
      io = try loop.io(socket.descriptor, .readable) { [unowned self] _ in receive() }
    } catch {
      throw .systemCall(error)
    }
    try socket.send(SetPowered.request(power, adapter: index), as: "Set Powered")
  }

  deinit {
    io?.cancel()
  }

  /// Other adapters' events come as well.
  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = recv(socket.descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else {
      if errno != EAGAIN && errno != EINTR { finish(.systemCall(.last("recv", name))) }
      return
    }
    switch SetPowered.answer(in: buffer.prefix(count), adapter: index) {
    case nil: break
    case .done: finish(nil)
    case .refused(.noAdapter): finish(.noAdapter(name))
    case .refused(.blocked): finish(.blocked(name))
    case .refused(.permissionDenied): finish(.missing(.netAdmin, place: name, purpose: "switching the adapter on"))
    case .refused(.failed): finish(.off(name))
    }
  }

  private func finish(_ error: HCIError?) {
    io?.cancel()
    completion(error)
  }

  private var name: String { "hci\(index)" }
}
