import EventLoop
import Instants
import Locations
import Records

/// The octets of a receiver, by TCP or over a serial line, which come back after every loss. Of a peer that floods as many are read as any receiver sends.
final class StreamLink {
  /// They come from here on.
  var onOpen: () -> Void = {}
  var onOctets: (ArraySlice<UInt8>) -> Void = { _ in }
  /// They do not come, or no longer; the next attempt follows by itself.
  var onLost: (LocationHealth) -> Void = { _ in }

  /// How often reading had to pause because the receiver sent more than `OctetBudget` allows.
  private(set) var pauses = 0
  /// Reading pauses for the first time since the octets have come.
  var onFlood: () -> Void = {}

  private let loop: Loop
  private let address: ReceiverAddress
  private var dial: TCPDial?
  private var stream: OctetStream?
  private var backoff = Backoff(from: .milliseconds(500), to: .seconds(15))
  /// Over all connections: a peer gains nothing by another one.
  private lazy var budget = OctetBudget(at: loop.now)
  private var isFlooded = false
  private lazy var resumption = loop.timer { [unowned self] in stream?.isPaused = false }
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
    isFlooded = false
    stream.onOctets = { [unowned self] in receive($0) }
    stream.onEnd = { [unowned self] in lose(health(after: $0)) }
    onOpen()
  }

  private func receive(_ octets: ArraySlice<UInt8>) {
    let pause = budget.spend(octets.count, at: loop.now)
    if let pause {
      pauses += 1
      stream?.isPaused = true
      resumption.arm(after: pause)
    }
    onOctets(octets)
    guard pause != nil, !isFlooded, stream != nil else { return }
    isFlooded = true
    onFlood()
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
    resumption.disarm()
    over.0?.cancel()
    over.1?.onOctets = { _ in }
    over.1?.onEnd = { _ in }
    loop.enqueue { _ = over }
  }

  /// What became of the lines, with the pauses among them if there were any.
  func counted(_ lines: Record) -> Record {
    var lines = lines
    if pauses > 0 { lines.append("limited", .count(UInt64(pauses))) }
    return lines
  }
}
