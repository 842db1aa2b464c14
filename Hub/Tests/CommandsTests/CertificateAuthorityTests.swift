import Commands
import Glibc
import Testing

private struct Refusal: Error {}

@Suite struct CertificateAuthorityTests {
  private let folder: String
  private let authority: CertificateAuthority
  private let openssl = Command(["openssl"])

  init() throws {
    var name = Array("/tmp/beaconmon-authority-XXXXXX".utf8CString)
    _ = mkdtemp(&name)
    folder = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    authority = CertificateAuthority(folder: folder)
    try authority.create()
  }

  private func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try Command(["ls", folder]).run().split(separator: "\n").map(String.init) {
      files[name] = try Command(["cat", "\(folder)/\(name)"]).run()
    }
    return files
  }

  private func remove() { _ = try? Command(["rm", "-r", folder]).run() }

  /// Returns whether the key of a name fits its certificate.
  private func fits(_ name: String) throws -> Bool {
    try openssl.run(["pkey", "-in", authority.path(name, "key"), "-pubout"])
      == openssl.run(["x509", "-in", authority.path(name, "crt"), "-noout", "-pubkey"])
  }

  @Test
  func `the authority is never replaced, even if one of its files is missing`() throws {
    defer { remove() }
    unlink(authority.path("ca", "crt"))
    let before = try files()
    #expect(throws: CommandError.self) { try authority.create() }
    #expect(throws: CommandError.self) { try authority.issue("ca", for: .node(["ca"])).install() }
    #expect(try files() == before)
  }

  @Test
  func `a certificate of another purpose is not replaced, and one of the same purpose is`() throws {
    defer { remove() }
    try authority.issue("berlin.door", commonName: "berlin.door.x").install()
    try authority.issue("broker1.example", for: .node(["broker1.example", "broker.example"])).install()
    let before = try files()
    for (name, purpose) in [("berlin.door", .node(["berlin.door"])), ("broker1.example", .client)] as [(_, CertificateAuthority.Purpose)] {
      let error = #expect(throws: CommandError.self) { try authority.issue(name, for: purpose).install() }
      #expect(error?.description.contains("not replaced; use another name") == true)
    }
    #expect(throws: CommandError.self) { try authority.issue("ca") }
    #expect(try files() == before && before.count == 6)
    try authority.issue("broker1.example", for: .node(["broker1.example"])).install()
    #expect(try files()["broker1.example.key"] != before["broker1.example.key"] && fits("broker1.example"))
  }

  @Test
  func `a certificate that cannot be made or recorded leaves the present files`() throws {
    defer { remove() }
    try authority.issue("berlin.door").install()
    var before = try files()
    let certificate = try authority.issue("berlin.door")
    #expect(throws: Refusal.self) { try certificate.install { throw Refusal() } }
    #expect(try files() == before)
    before["ca.key"] = ""
    close(creat(authority.path("ca", "key"), 0o600))
    #expect(throws: CommandError.self) { try authority.issue("berlin.door").install() }
    #expect(throws: CommandError.self) { try authority.issue("berlin.hall").install() }
    #expect(try files() == before)
  }

  @Test
  func `of certificates that are made at once, each key fits`() throws {
    defer { remove() }
    let (first, second) = (try authority.issue("berlin.door"), try authority.issue("berlin.door"))
    try second.install()
    #expect(try fits("berlin.door"))
    try first.install()
    #expect(try fits("berlin.door") && first.fingerprint != second.fingerprint && first.fingerprint.count == 64)
  }

  @Test
  func `a request replaces the certificate, and removes a key that does not fit`() throws {
    defer { remove() }
    try authority.issue("berlin.door").install()
    let request = "\(folder)/door.csr"
    try openssl.run(["req", "-new", "-key", authority.path("berlin.door", "key"), "-subj", "/CN=x", "-out", request])
    try authority.sign(request: request, "berlin.door", commonName: "berlin.door.x").install()
    #expect(try fits("berlin.door"))
    try openssl.run(
      ["req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/door.key", "-subj", "/CN=x", "-out", request])
    try authority.sign(request: request, "berlin.door", commonName: "berlin.door.x").install()
    #expect(access(authority.path("berlin.door", "key"), F_OK) != 0 && authority.has("berlin.door"))
    // A key without a certificate may be in use.
    try Command(["cp", "\(folder)/door.key", authority.path("berlin.hall", "key")]).run()
    #expect(throws: CommandError.self) { try authority.issue("berlin.hall") }
    try authority.sign(request: request, "berlin.hall", commonName: "berlin.hall.x").install()
    #expect(try fits("berlin.hall"))
  }

  @Test
  func `a request that is missing, is none, or has a short key is refused with the reason`() throws {
    defer { remove() }
    let request = "\(folder)/door.csr"
    func reason() throws -> String {
      try #require(throws: CommandError.self) { try authority.sign(request: request, "berlin.door", commonName: "x") }.description
    }
    #expect(try reason() == "\(request): No such file or directory")
    try Command(["cp", authority.path("ca", "crt"), request]).run()
    #expect(try reason().hasPrefix("\(request) is not a request for a certificate"))
    try openssl.run(
      ["req", "-new", "-newkey", "rsa:1024", "-nodes", "-keyout", "\(folder)/door.key", "-subj", "/CN=x", "-out", request])
    #expect(try reason().hasPrefix("\(request) has an RSA key of 1024 bits"))
    #expect(!authority.has("berlin.door"))
  }
}
