import Glibc

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
