import Glibc

/// A certificate authority in a folder, which openssl(1) operates.
///
/// The folder has `ca.crt` and `ca.key`, and a certificate and a key for each name.
public struct CertificateAuthority {
  /// The time for which a certificate is valid.
  public static let days = 825
  private static let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private let folder: String
  private let openssl = Command(["openssl"])

  public init(folder: String) { self.folder = folder }

  /// Returns whether the authority, or a certificate of this name, exists.
  public func has(_ name: String) -> Bool { access(path(name, "crt"), F_OK) == 0 }

  public func path(_ name: String, _ suffix: String) -> String { "\(folder)/\(name).\(suffix)" }

  /// Makes the key and the certificate of the authority.
  public func create() throws(CommandError) {
    umask(0o077)
    mkdir(folder, 0o700)
    try openssl.run(
      ["req", "-x509", "-batch", "-days", "7300", "-subj", "/CN=beaconmon fleet"] + Self.curve + [
        "-keyout", path("ca", "key"), "-out", path("ca", "crt"),
      ])
  }

  /// Makes a key and a certificate in files of a name. Replaces older ones.
  ///
  /// - Parameters:
  ///   - commonName: nil if it is the name of the files
  ///   - hosts: the names of a server that the certificate is for
  public func issue(_ name: String, commonName: String? = nil, hosts: [String] = []) throws(CommandError) {
    umask(0o077)
    let request = path(name, "csr")
    try openssl.run(["req", "-new", "-batch", "-subj", "/CN=\(name)"] + Self.curve + ["-keyout", path(name, "key"), "-out", request])
    try sign(request: request, name, commonName: commonName, hosts: hosts)
    unlink(request)
  }

  /// Makes a certificate with a common name for a request. The names in the request are ignored.
  public func sign(request: String, _ name: String, commonName: String? = nil, hosts: [String] = []) throws(CommandError) {
    let extensions = path(name, "ext")
    defer { unlink(extensions) }
    try write(
      "basicConstraints=critical,CA:false\nextendedKeyUsage=\(hosts.isEmpty ? "clientAuth" : "serverAuth,clientAuth")\n"
        + (hosts.isEmpty ? "" : "subjectAltName=\(hosts.map { "DNS:\($0)" }.joined(separator: ","))\n"), to: extensions)
    var serial = "0x"
    for _ in 0..<16 { serial += String(UInt8.random(in: 1...127), radix: 16) }
    try openssl.run([
      "x509", "-req", "-in", request, "-CA", path("ca", "crt"), "-CAkey", path("ca", "key"), "-set_serial", serial, "-days", "\(Self.days)",
      "-subj", "/CN=\(commonName ?? name)", "-extfile", extensions, "-out", path(name, "crt"),
    ])
  }

  /// Returns the SHA-256 of a certificate in hexadecimal digits.
  public func fingerprint(of name: String) throws(CommandError) -> String {
    let output = try openssl.run(["x509", "-in", path(name, "crt"), "-noout", "-fingerprint", "-sha256"])
    return String((output.split(separator: "=").last ?? "").filter(\.isHexDigit))
  }

  private func write(_ text: String, to path: String) throws(CommandError) {
    guard let file = fopen(path, "w") else { throw CommandError(description: "\(path): \(String(cString: strerror(errno)))") }
    fputs(text, file)
    guard fclose(file) == 0 else { throw CommandError(description: "\(path): \(String(cString: strerror(errno)))") }
  }
}
