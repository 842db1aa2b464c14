import Alerts
import Instants
import Testing

@Suite struct CertificateEndTests {
  /// Certificates of openssl(1), valid for 825 and 20,000 days. RFC 5280 requires another kind of time from 2050 on.
  private static let short = """
    -----BEGIN CERTIFICATE-----
    MIIBbTCCAROgAwIBAgIUYlE15EanlE1dZW4rQH0x1ZIMJwUwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBeDAeFw0yNjExMjkxMzI4MTFaFw0yOTAzMDMxMzI4MTFaMAwx
    CjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARq9wZ/svamNGJC
    5f69Nf6kCAePrUxGQ2flK5KXycmKrMKWZeYiNxVZkZhjnsTowvEldQDG5DQ75Xj8
    f+jYtkb+o1MwUTAdBgNVHQ4EFgQU3pMaxUMzdH5KAyEFrEUXnqLPPfgwHwYDVR0j
    BBgwFoAU3pMaxUMzdH5KAyEFrEUXnqLPPfgwDwYDVR0TAQH/BAUwAwEB/zAKBggq
    hkjOPQQDAgNIADBFAiEA0d1wQPOlSoUF93CkPUkvrKp4NydSzLRfRdzaGtAX5LkC
    IH9YfhcKBGbeTBppm6sBtNeYnfbmruW5zPolkaT0Lp4Z
    -----END CERTIFICATE-----
    """
  private static let long = """
    -----BEGIN CERTIFICATE-----
    MIIBbzCCARWgAwIBAgIUTB/tv7PZYQbFMTvJ1z0ZjZigCLYwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBeDAgFw0yNjExMjkxMzI4MTFaGA8yMDgxMDkwMTEzMjgxMVow
    DDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJdMCDAEIRmV
    kaz0mP3N6EmcRbvvpIPiN3/IiySMUTuDQPCerVoyGQDjto8CCZBzJmkly3R6N8fK
    X8kx9niSnMOjUzBRMB0GA1UdDgQWBBRapWCvw0vwZ3cU8e44EPsF80QlITAfBgNV
    HSMEGDAWgBRapWCvw0vwZ3cU8e44EPsF80QlITAPBgNVHRMBAf8EBTADAQH/MAoG
    CCqGSM49BAMCA0gAMEUCIQCAJDCfK2hbo7smRU7TKBuNY0wDbGwWVRLI6JU2xBL3
    IgIgcA3c3ja7HgYbECSQxEU8GF8Z5le7Qo3QT0otsfDzqH8=
    -----END CERTIFICATE-----
    """

  @Test(
    "the end of a certificate is read before and after 2050", arguments: [(short, "2029-03-03T13:28:11Z"), (long, "2081-09-01T13:28:11Z")])
  func ends(pem: String, end: String) {
    #expect(CertificateEnd.read(pem: pem) == Instant(rfc3339: end))
    #expect(
      CertificateEnd.read(pem: "text before it\n\(pem.split(separator: "\n").joined(separator: "\r\n"))\n\(Self.long)")
        == Instant(rfc3339: end))
  }

  @Test("a file without a whole certificate has no end")
  func damaged() {
    let lines = Self.short.split(separator: "\n").map(String.init)
    for count in 0..<lines.count { #expect(CertificateEnd.read(pem: lines.prefix(count).joined(separator: "\n")) == nil) }
    for count in 1..<lines.count - 6 {
      let cut = lines.prefix(count) + [lines[lines.count - 1]]
      #expect(CertificateEnd.read(pem: cut.joined(separator: "\n")) == nil)
    }
    #expect(CertificateEnd.read(pem: Self.short.split(separator: "M").joined(separator: "*")) == nil)
  }
}
