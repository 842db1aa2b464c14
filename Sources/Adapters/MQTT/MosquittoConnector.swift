import BrokerPublishing
import EventLoop
import Publishing

/// Connects to brokers with libmosquitto on the event loop.
public final class MosquittoConnector: BrokerConnector {
  private let loop: Loop
  private var library: MosquittoLibrary?

  public init(_ loop: Loop) { self.loop = loop }

  public func connect(to broker: Broker, attempt: Int, will: Publication?, _ body: @escaping (BrokerStep) -> Void) -> any BrokerConnection {
    DialledSession(loop, host: broker.host) { (addresses) throws(BrokerError) in
      try BrokerSession(self.loop, self.loadedLibrary(), to: broker, at: addresses[attempt % addresses.count], will: will, body)
    } onFailure: {
      body(.ended($0))
    }
  }

  private func loadedLibrary() throws(BrokerError) -> MosquittoLibrary {
    if let library { return library }
    let loaded = try MosquittoLibrary()
    library = loaded
    return loaded
  }
}

/// A session that begins when the addresses of its host are known.
private final class DialledSession: BrokerConnection {
  private var lookUp: HostAddresses?
  private var session: BrokerSession?

  init(
    _ loop: Loop, host: String, _ begin: @escaping ([String]) throws(BrokerError) -> BrokerSession,
    onFailure: @escaping (BrokerError) -> Void
  ) {
    lookUp = HostAddresses(of: host, loop) { [unowned self] result in
      do throws(BrokerError) {
        session = try begin(result.mapError { BrokerError($0.description) }.get())
      } catch {
        onFailure(error)
      }
    }
  }

  func publish(_ payload: [UInt8], to topic: String, isRetained: Bool) throws(BrokerError) -> Int32 {
    guard let session else { throw BrokerError("not connected") }
    return try session.publish(payload, to: topic, isRetained: isRetained)
  }

  func subscribe(to topic: String) throws(BrokerError) {
    guard let session else { throw BrokerError("not connected") }
    try session.subscribe(to: topic)
  }
}

extension BrokerError {
  /// Creates the error of a message of libmosquitto, OpenSSL or the system.
  init(libraryText text: String) {
    let kind: Kind =
      if text.contains("unexpected eof") {
        .closed
      } else if text.contains("EPROTO") {
        .reset
      } else if text.contains("certificate verify failed") {
        .untrustedBroker
      } else if Self.alerts.contains(where: text.contains) {
        .refusedCertificate
      } else if text.contains("Connection Refused") {
        .refusedLogin
      } else {
        .other
      }
    self.init(text, kind)
  }

  /// The alerts of TLS about the certificate of the client, in the words of OpenSSL.
  private static let alerts = ["alert bad certificate", "alert certificate", "alert unknown ca", "alert unsupported certificate"]
}
