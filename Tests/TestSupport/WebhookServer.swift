import Foundation

/// A real web server, Python's, that receives webhooks over https, or over http without a certificate.
///
/// Peers/webhook_server.py explains its paths.
public final class WebhookServer {
  public let certificate: Certificate?
  public private(set) var port = 0
  // Killed before its folder is removed.
  private var process: Child?
  private let folder: TemporaryDirectory
  private let log: GrowingFile
  private var received: [Request] = []

  public init(encrypted: Bool = true) throws {
    folder = try TemporaryDirectory()
    certificate = encrypted ? try Certificate(in: folder) : nil
    log = GrowingFile(folder.file("requests"))
    try start()
  }

  /// Kills the server; `start` restarts it on the same port.
  public func stop() { process?.kill() }

  /// - Parameter certificate: A certificate that the clients do not trust; nil for the right one.
  public func start(with certificate: Certificate? = nil) throws {
    let certificate = certificate ?? self.certificate
    let pipe = Pipe()
    let peer = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Peers/webhook_server.py").path
    process = try Child(
      "/usr/bin/python3", [peer, "\(port)", certificate?.file ?? "", certificate?.key ?? "", folder.file("requests")], output: .pipe(pipe),
      errors: .nothing)
    guard let line = String(data: pipe.fileHandleForReading.availableData, encoding: .utf8),
      let number = Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw Timeout() }
    port = number
  }

  /// Makes `/chaos` answer 200 from now on.
  public func calmDown() throws { try Data().write(to: URL(fileURLWithPath: folder.file("requests.calm"))) }

  public func url(_ path: String) -> String { "\(certificate == nil ? "http" : "https")://localhost:\(port)\(path)" }

  /// Returns the received requests, oldest first.
  public func requests() throws -> [Request] {
    received += try log.newLines().map { try JSONDecoder().decode(Request.self, from: $0) }
    return received
  }

  public struct Request: Decodable {
    public let path: String
    /// The headers by lower-case name.
    public let headers: [String: String]
    public let body: String
    /// The client's port, which is the same for requests of one connection.
    public let peer: Int
    /// The answer: the path, or the choice of `/chaos`.
    public let answer: String
  }
}
