import EventLoop
import HTTPMessages

/// The answer to a request, which may come after the call of the library.
final class PendingAnswer {
  private let loop: Loop
  private(set) var response: HTTPServerResponse?
  /// Whether the connection has ended.
  private var isAbandoned = false
  /// Runs when the answer comes later.
  var onAnswer: (() -> Void)?

  init(_ loop: Loop) { self.loop = loop }

  /// Takes the answer. Another one, and one to a connection that has ended, is dropped.
  func give(_ response: HTTPServerResponse) {
    guard self.response == nil, !isAbandoned else { return drop(response) }
    self.response = response
    onAnswer?()
    onAnswer = nil
  }

  /// Drops the answer that the connection has not sent, and later ones.
  func abandon() {
    (isAbandoned, onAnswer) = (true, nil)
    if let response { drop(response) }
  }

  /// Notifies the owner of a stream that it has no reader.
  private func drop(_ response: HTTPServerResponse) {
    guard case .events(let stream) = response.body else { return }
    stream.end()
    // Not in the middle of a call of the library.
    loop.enqueue { stream.onEnd() }
  }
}
