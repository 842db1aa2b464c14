extension HTTPServer {
  /// Returns 256 random bits as text, such as for the cookie of a session.
  public static func makeSecret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next() as UInt64, radix: 36)
      return String(repeating: "0", count: 13 - digits.count) + digits
    }.joined()
  }
}
