import Glibc

/// A certificate authority in a folder, which openssl(1) operates.
///
/// The folder has `ca.crt` and `ca.key`, and a certificate and a key for each name.
public struct CertificateAuthority {
  /// The purpose of a certificate. A certificate is never replaced by one of another purpose.
  public enum Purpose: Hashable, Sendable {
    /// A device, or the workers.
    case client
    /// A node of the broker with these host names.
    case node([String])
  }

  /// The time for which a certificate is valid.
  public static let days = 825
  private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private let folder: String
  private let openssl = Command(["openssl"])

  public init(folder: String) { self.folder = folder }

  /// Returns whether the authority, or a certificate of this name, exists.
  public func has(_ name: String) -> Bool { access(path(name, "crt"), F_OK) == 0 }

  public func path(_ name: String, _ suffix: String) -> String { "\(folder)/\(name).\(suffix)" }

  /// Makes the key and the certificate of the authority. Throws if one of the files exists.
  public func create() throws(CommandError) {
    umask(0o077)
    mkdir(folder, 0o700)
    for suffix in ["key", "crt"] where access(path("ca", suffix), F_OK) == 0 {
      throw CommandError(description: "\(path("ca", suffix)) exists; every device trusts the authority, so it is not replaced")
    }
    let files = try NewCertificate("ca", in: folder)
    try openssl.run(
      ["req", "-x509", "-batch", "-days", "7300", "-subj", "/CN=beaconmon fleet"] + Self.curve + [
        "-keyout", files.path("key"), "-out", files.path("crt"),
      ])
    try files.install()
  }

  /// Makes a key and a certificate, which have no effect before they are installed.
  ///
  /// Throws if the folder has a certificate of another purpose under the name.
  ///
  /// - Parameters:
  ///   - name: the name of the files
  ///   - commonName: nil if it is the name of the files
  public func issue(_ name: String, commonName: String? = nil, for purpose: Purpose = .client) throws(CommandError) -> NewCertificate {
    umask(0o077)
    try requireReplaceable(name, by: purpose)
    let files = try NewCertificate(name, in: folder)
    try openssl.run(
      ["req", "-new", "-batch", "-subj", "/CN=\(name)"] + Self.curve + ["-keyout", files.path("key"), "-out", files.path("csr")])
    return try sign(files.path("csr"), files, commonName: commonName ?? name, for: purpose)
  }

  /// Makes a certificate with a common name for a request of a device. The names in the request are ignored.
  public func sign(request: String, _ name: String, commonName: String) throws(CommandError) -> NewCertificate {
    umask(0o077)
    try CertificateRequest(path: request).check()
    if has(name) { try requireReplaceable(name, by: .client) }
    let files = try sign(request, try NewCertificate(name, in: folder), commonName: commonName, for: .client)
    if access(path(name, "key"), F_OK) == 0, try openssl.run(["pkey", "-in", path(name, "key"), "-pubout"]) != files.publicKey {
      try requireReplaceable(name, by: .client)
      files.removesKey = true
    }
    return files
  }

  private func sign(
    _ request: String, _ files: NewCertificate, commonName: String, for purpose: Purpose
  ) throws(CommandError) -> NewCertificate {
    var (usage, alternatives) = ("clientAuth", "")
    if case .node(let hosts) = purpose {
      usage = "serverAuth,clientAuth"
      alternatives = "subjectAltName=\(hosts.map { "DNS:\($0)" }.joined(separator: ","))\n"
    }
    try write("basicConstraints=critical,CA:false\nextendedKeyUsage=\(usage)\n" + alternatives, to: files.path("ext"))
    var serial = "0x"
    for _ in 0..<16 { serial += String(UInt8.random(in: 1...127), radix: 16) }
    try openssl.run([
      "x509", "-req", "-in", request, "-CA", path("ca", "crt"), "-CAkey", path("ca", "key"), "-set_serial", serial, "-days", "\(Self.days)",
      "-subj", "/CN=\(commonName)", "-extfile", files.path("ext"), "-out", files.path("crt"),
    ])
    files.publicKey = try openssl.run(["x509", "-in", files.path("crt"), "-noout", "-pubkey"])
    let output = try openssl.run(["x509", "-in", files.path("crt"), "-noout", "-fingerprint", "-sha256"])
    files.fingerprint = String((output.split(separator: "=").last ?? "").filter(\.isHexDigit))
    return files
  }

  /// Throws if the files of a name are those of another purpose, or if a key has no certificate that tells its purpose.
  private func requireReplaceable(_ name: String, by purpose: Purpose) throws(CommandError) {
    guard has(name) else {
      guard access(path(name, "key"), F_OK) != 0 else {
        throw CommandError(
          description:
            "\(path(name, "key")) exists without a certificate, and is not replaced; move it to another folder if it is not in use")
      }
      return
    }
    let present = try openssl.run(["x509", "-in", path(name, "crt"), "-noout", "-ext", "extendedKeyUsage,basicConstraints"])
    guard !present.contains("CA:TRUE") else {
      throw CommandError(description: "\(path(name, "crt")) is the certificate of an authority, and is not replaced; use another name")
    }
    let isNode = present.contains("Server Authentication")
    guard isNode == (purpose != .client) else {
      throw CommandError(
        description: "\(path(name, "crt")) is the certificate of a \(isNode ? "node of the broker" : "device"), and is not replaced; "
          + "use another name, or another folder for --authority with a copy of ca.crt and ca.key")
    }
  }

  private func write(_ text: String, to path: String) throws(CommandError) {
    guard let file = fopen(path, "w") else { throw CommandError(description: "\(path): \(String(cString: strerror(errno)))") }
    fputs(text, file)
    guard fclose(file) == 0 else { throw CommandError(description: "\(path): \(String(cString: strerror(errno)))") }
  }
}

/// A request for a certificate, PKCS #10 in PEM.
struct CertificateRequest {
  let path: String

  /// The shortest RSA key with which a TLS link of the broker is possible, in bits.
  private static let shortestRSA = 2048

  /// Throws with a reason if a device cannot use a certificate for the request.
  func check() throws(CommandError) {
    guard access(path, R_OK) == 0 else { throw CommandError(description: "\(path): \(String(cString: strerror(errno)))") }
    let text: String
    do { text = try Command(["openssl"]).run(["req", "-in", path, "-noout", "-verify", "-text"]) } catch {
      throw CommandError(
        description: "\(path) is not a request for a certificate with a valid signature; make one on the device with "
          + "\"openssl req -new -key KEY -subj /CN=SITE.DEVICE -out FILE\"")
    }
    guard text.contains("Public Key Algorithm: rsaEncryption"),
      let bits = text.split(separator: "Public-Key: (").dropFirst().first.flatMap({ Int($0.prefix { $0.isNumber }) }),
      bits < Self.shortestRSA
    else { return }
    throw CommandError(
      description: "\(path) has an RSA key of \(bits) bits, with which the device could not connect; "
        + "use one of \(Self.shortestRSA) bits, or of the curve P-256")
  }
}
