import EventLoop
import Instants
import Locations

/// The octets of a receiver, by TCP or over a serial line, which come back after every loss.
final class StreamLink {
  /// They come from here on.
  var onOpen: () -> Void = {}
  var onOctets: (ArraySlice<UInt8>) -> Void = { _ in }
  /// They do not come, or no longer; the next attempt follows by itself.
  var onLost: (LocationHealth) -> Void = { _ in }

  private let loop: Loop
  private let address: ReceiverAddress
  private var dial: TCPDial?
  private var stream: OctetStream?
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(15))
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

  /// What came makes sense: the next loss is a new one.
  func noteSense() {
    backoff.reset()
  }

  /// What answers is not what was looked for.
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
          // Without sockets of IP no name is found either.
          lose(
            LocationHealth(
              .gone, ServiceUnit.hasNetwork ? failure.description : "it has no network; give the service \(LocationDropIn.path)"))
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
    stream.onOctets = { [unowned self] in onOctets($0) }
    stream.onEnd = { [unowned self] in lose(health(after: $0)) }
    onOpen()
  }

  private func health(after error: SystemCallError?) -> LocationHealth {
    switch address {
    case .tcp: LocationHealth(.gone, error?.description ?? "the connection was closed")
    case .serial(let path, _): SerialLine.health(of: path, after: error)
    }
  }

  private func lose(_ health: LocationHealth) {
    release()
    var random = SystemRandomNumberGenerator()
    attempt.arm(after: backoff.next(using: &random))
    onLost(health)
  }

  /// Not inside their own callbacks, which still use them.
  private func release() {
    let over = (dial, stream)
    (dial, stream) = (nil, nil)
    over.0?.cancel()
    over.1?.onOctets = { _ in }
    over.1?.onEnd = { _ in }
    loop.enqueue { _ = over }
  }
}
