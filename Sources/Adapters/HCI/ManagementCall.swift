import EventLoop
import Glibc

/// One request to the kernel about one adapter, and its answer; releasing the call cancels the callback.
///
/// The older interface, ioctls such as HCIDEVUP, would block the loop until the controller answers: seconds for one that hangs.
final class ManagementCall {
  private let socket: HCISocket
  private let index: UInt16
  private let request: ManagementRequest
  private var io: IOSource?
  private let completion: (Result<ManagementRequest.Answer, HCIError>) -> Void

  /// Sends the request and calls back once.
  init(
    _ loop: Loop, _ request: ManagementRequest, adapter index: UInt16,
    completion: @escaping (Result<ManagementRequest.Answer, HCIError>) -> Void
  ) throws(HCIError) {
    socket = try .managing()
    self.index = index
    self.request = request
    self.completion = completion
    do throws(SystemCallError) {
      io = try loop.io(socket.descriptor, .readable) { [unowned self] _ in receive() }
    } catch {
      throw .systemCall(error)
    }
    try socket.send(request.octets(adapter: index), as: request.name)
  }

  deinit {
    io?.cancel()
  }

  /// Reads answers and events, and ignores the events of other adapters.
  private func receive() {
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = recv(socket.descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else {
      if errno != EAGAIN && errno != EINTR { finish(.failure(.systemCall(.last("recv", "hci\(index)")))) }
      return
    }
    if let answer = request.answer(in: buffer.prefix(count), adapter: index) { finish(.success(answer)) }
  }

  private func finish(_ result: Result<ManagementRequest.Answer, HCIError>) {
    io?.cancel()
    completion(result)
  }
}
