internal import CCurl
import EventLoop
import Glibc
import Instants

/// Runs libcurl's transfers on the loop: libcurl's sockets and its timeout become the loop's (libcurl-multi(3)).
///
/// Connections stay open for the next request. Releasing the client cancels pending requests without calling their completions.
final class HTTPTransfers {
  private let loop: Loop
  private let library: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  private var sockets: [Int32: IOSource] = [:]
  private var open: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
  private var timer: Timer?

  init(_ loop: Loop) throws(MissingLibrary) {
    self.loop = loop
    library = try CurlLibrary()
    guard let multi = library.functions.multi_init() else { throw MissingLibrary("curl_multi_init: no memory", package: "libcurl4") }
    self.multi = multi
    timer = loop.timer { [unowned self] in act(CURL_SOCKET_TIMEOUT, 0) }
    curl_library_set_callbacks(library.functions, multi, socketCallback, timerCallback, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    curl_library_set_callbacks(library.functions, multi, nil, nil, nil)
    for source in sockets.values { source.cancel() }
    for easy in open.keys { _ = library.functions.multi_remove_handle(multi, easy) }
    _ = library.functions.multi_cleanup(multi)
  }

  /// - Parameter completion: called later, from the loop.
  func begin(_ request: HTTPRequest, atMost octets: Int?, completion: @escaping (HTTPAnswer, [UInt8]) -> Void) {
    guard let transfer = HTTPTransfer(library, request, atMost: octets, completion: completion) else {
      loop.enqueue { completion(.failure("out of memory"), []) }
      return
    }
    open[transfer.easy] = transfer
    _ = library.functions.multi_add_handle(multi, transfer.easy)
  }

  private func act(_ socket: Int32, _ events: Int32) {
    var running: Int32 = 0
    _ = library.functions.multi_socket_action(multi, socket, events, &running)
    var left: Int32 = 0
    var finished: [(transfer: HTTPTransfer, code: CURLcode)] = []
    while let message = library.functions.multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let code = curl_library_result(message)
      _ = library.functions.multi_remove_handle(multi, easy)
      if let transfer = open.removeValue(forKey: easy) { finished.append((transfer, code)) }
    }
    // Completions come last, because one may release this client.
    for (transfer, code) in finished { transfer.completion(transfer.answer(code), transfer.body) }
  }

  fileprivate func watch(_ socket: Int32, _ interest: IOEvents) {
    if interest.isEmpty {
      sockets.removeValue(forKey: socket)?.cancel()
      return
    }
    // Acknowledges the octets that libcurl read before it waits for more.
    if interest.contains(.readable) { TCPSocket.acknowledgeAtOnce(socket) }
    do throws(SystemCallError) {
      if let source = sockets[socket] {
        try source.setInterest(interest)
      } else {
        sockets[socket] = try loop.io(socket, interest) { [unowned self] events in
          TCPSocket.acknowledgeAtOnce(socket)
          var bits = events.contains(.readable) ? CURL_CSELECT_IN : 0
          if events.contains(.writable) { bits |= CURL_CSELECT_OUT }
          if !events.isDisjoint(with: [.hangUp, .error]) { bits |= CURL_CSELECT_ERR }
          act(socket, bits)
        }
      }
    } catch {
      // Without its socket the transfer runs into its timeout, and that is its failure.
      sockets[socket] = nil
    }
  }

  /// Arms the timer, or disarms it for a negative time. Zero waits too: libcurl must not be called in its callback.
  fileprivate func arm(_ milliseconds: Int) {
    milliseconds < 0 ? timer?.disarm() : timer?.arm(after: .milliseconds(Int64(milliseconds)))
  }
}

private func socketCallback(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
  _ own: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  var interest: IOEvents = []
  if what == CURL_POLL_IN || what == CURL_POLL_INOUT { interest.insert(.readable) }
  if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { interest.insert(.writable) }
  Unmanaged<HTTPTransfers>.fromOpaque(context).takeUnretainedValue().watch(socket, interest)
  return 0
}

private func timerCallback(_ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<HTTPTransfers>.fromOpaque(context).takeUnretainedValue().arm(milliseconds)
  return 0
}
