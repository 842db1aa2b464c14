import HTTPServer
import Testing

@Suite struct SecretTests {
  @Test func `each secret is another text of one length that a cookie can have`() {
    let secrets = (0..<200).map { _ in HTTPServer.makeSecret() }
    #expect(Set(secrets).count == secrets.count)
    // 64 bits have 13 digits to the base of 36.
    #expect(secrets.allSatisfy { $0.utf8.count == 52 && $0.allSatisfy { $0.isASCII && ($0.isNumber || $0.isLetter) } })
  }
}
