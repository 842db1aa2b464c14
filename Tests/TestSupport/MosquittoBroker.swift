import Foundation

/// A real broker, mosquitto, on a port of its own: with TLS and a password or client certificates, or without.
public final class MosquittoBroker {
  public static let username = "shop"
  public static let password = "c0rrect horse"

  public let certificate: Certificate?
  public let port: Int
  // Killed before its folder is removed.
  private var process: Child?
  private let folder: TemporaryDirectory
  /// The certificate of the test's own clients; nil unless the broker requires one.
  private var observer: Certificate?

  /// - Parameter requiresCertificates: whether clients log in with a certificate in place of a password.
  public init(encrypted: Bool = true, requiresCertificates: Bool = false) throws {
    folder = try TemporaryDirectory()
    port = try freePort()
    certificate = encrypted ? try Certificate(in: folder) : nil
    // By default mosquitto discards what exceeds 1,000 messages for a subscriber that is slower than the publisher.
    var lines = ["listener \(port) 127.0.0.1", "user root", "log_dest stderr", "max_queued_messages 0"]
    if let certificate, requiresCertificates {
      observer = try certificate.client(named: "observer", in: folder)
      lines += [
        "certfile \(certificate.file)", "keyfile \(certificate.key)", "cafile \(certificate.file)", "require_certificate true",
        "use_identity_as_username true",
      ]
    } else if let certificate {
      let passwords = folder.file("passwords")
      try Child.run("/usr/bin/mosquitto_passwd", ["-b", "-c", passwords, Self.username, Self.password], errors: .nothing)
      lines += ["certfile \(certificate.file)", "keyfile \(certificate.key)", "password_file \(passwords)", "allow_anonymous false"]
    } else {
      lines.append("allow_anonymous true")
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: folder.file("config")))
    try start()
  }

  /// Kills the broker, which loses its retained messages.
  public func stop() { process?.kill() }

  /// Freezes the broker: it neither reads nor answers, and its connections stay open.
  public func freeze() { process?.signal(SIGSTOP) }

  public func start() throws {
    process = try Child("/usr/sbin/mosquitto", ["-c", folder.file("config")], errors: .nothing)
    // Returns when the broker is up: it has accepted a retained message.
    let deadline = Date(timeIntervalSinceNow: 20)
    let publishing = client + ["-r", "-q", "1", "-t", "ready", "-m", "yes"]
    while try Child("/usr/bin/mosquitto_pub", publishing, errors: .nothing).wait() != 0 {
      guard deadline.timeIntervalSinceNow > 0 else { throw Timeout() }
      // Polls until the deadline.
      usleep(20_000)
    }
  }

  /// Publishes octets on a topic, as the hub of a fleet does.
  public func publish(_ octets: [UInt8], to topic: String) throws {
    let file = folder.file("payload")
    try Data(octets).write(to: URL(fileURLWithPath: file))
    try Child.run("/usr/bin/mosquitto_pub", client + ["-q", "1", "-t", topic, "-f", file], errors: .nothing)
  }

  /// Makes a certificate with this common name, with which a client can log in.
  public func client(named name: String) throws -> Certificate {
    guard let certificate else { throw Timeout() }
    return try certificate.client(named: name, in: folder)
  }

  /// Subscribes to `topic`. Retained messages come first, then those published from now on.
  ///
  /// - Parameter isHexadecimal: whether the payloads are octets, which the messages have as hexadecimal digits.
  public func subscribe(_ topic: String = "#", isHexadecimal: Bool = false) throws -> BrokerSubscriber {
    try BrokerSubscriber(client + ["-q", "1", "-t", "ready", "-t", topic, "-F", "%r\t%t\t%\(isHexadecimal ? "x" : "p")"])
  }

  /// The arguments with which mosquitto's own clients connect.
  private var client: [String] {
    let arguments = ["-h", "localhost", "-p", "\(port)", "-V", "mqttv311"]
    if let certificate, let observer {
      return arguments + ["--cafile", certificate.file, "--cert", observer.file, "--key", observer.key]
    }
    return arguments + (certificate.map { ["--cafile", $0.file, "-u", Self.username, "-P", Self.password] } ?? [])
  }
}

/// A mosquitto_sub process, and the messages that it has received.
public final class BrokerSubscriber {
  public struct Message: Hashable {
    public let isRetained: Bool
    public let topic: String
    public let payload: String

    public init(isRetained: Bool, topic: String, payload: String) {
      self.isRetained = isRetained
      self.topic = topic
      self.payload = payload
    }

    /// The octets of a payload in hexadecimal digits.
    public var octets: [UInt8] {
      let digits = payload.compactMap { $0.hexDigitValue.map { UInt8($0) } }
      return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  // Killed before its folder is removed.
  private let process: Child
  private let folder: TemporaryDirectory
  private let output: GrowingFile
  private var isReady = false
  private var received: [Message] = []

  fileprivate init(_ arguments: [String]) throws {
    folder = try TemporaryDirectory()
    let path = folder.file("messages")
    try Data().write(to: URL(fileURLWithPath: path))
    output = GrowingFile(path)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    process = try Child("/usr/bin/mosquitto_sub", arguments, output: .file(file), errors: .nothing)
    // The subscription is active when the retained message has arrived.
    let deadline = Date(timeIntervalSinceNow: 20)
    while !isReady {
      try read()
      guard deadline.timeIntervalSinceNow > 0 else { throw Timeout() }
      // Polls until the deadline.
      usleep(5000)
    }
  }

  public func messages() throws -> [Message] {
    try read()
    return received
  }

  private func read() throws {
    for line in try output.newLines() {
      let words = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3 else { continue }
      let (isRetained, topic) = (words[0] == "1", String(words[1]))
      isReady = true
      if topic != "ready" { received.append(Message(isRetained: isRetained, topic: topic, payload: String(words[2]))) }
    }
  }
}

/// Returns a TCP port on which no process listens now.
public func freePort() throws -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1 }
  }
  guard result == 0 else { throw Timeout() }
  return Int(UInt16(bigEndian: address.sin_port))
}
