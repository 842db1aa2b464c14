import FleetPage
import LocalEndpoints
import People
import Testing

@Suite struct PageAddressTests {
  private func address(_ options: PageAddress.Options) throws -> PageAddress { try PageAddress(options, version: "1.2") }

  private func error(_ options: PageAddress.Options) -> String? {
    do {
      _ = try address(options)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `without options, the page is for this machine and a proxy on it`() throws {
    let address = try address(.init())
    #expect("\(address.endpoint)" == "127.0.0.1:8480")
    #expect(address.settings.host == "localhost" && !address.settings.isEncrypted && address.settings.version == "1.2")
    #expect(address.connectionsOfAddress == nil && address.settings.proxy == nil && address.settings.proxyUserHeader == nil)
  }

  @Test func `an address that other machines reach needs a certificate`() throws {
    let missing = error(.init(listen: "0.0.0.0:443"))
    #expect(
      missing?.hasPrefix("0.0.0.0:443 is reachable for other machines, so that passwords need TLS; use --certificate and --key") == true)
    let address = try address(.init(listen: "192.0.2.1:443", certificate: "a", key: "b"))
    #expect(address.settings.host == "192.0.2.1" && address.settings.isEncrypted)
    #expect(error(.init(listen: "/run/hub.sock")) == nil && error(.init(listen: "[::1]:80")) == nil)
  }

  @Test(arguments: [PageAddress.Options(certificate: "a"), PageAddress.Options(key: "b")])
  func `a certificate and its key belong together`(options: PageAddress.Options) {
    #expect(error(options)?.hasSuffix("belong together; give both or neither") == true)
  }

  @Test func `one address has few connections, unless it is that of a proxy`() throws {
    let network = PageAddress.Options(listen: "0.0.0.0:443", certificate: "a", key: "b")
    #expect(try address(network).connectionsOfAddress == 48)
    var behind = network
    behind.proxy = "192.0.2.9"
    #expect(try address(behind).connectionsOfAddress == nil)
  }

  @Test(arguments: [
    ("https://Fleet.Example", "fleet.example", true), ("HTTPS://fleet.example:8443/x", "fleet.example", true),
    ("http://fleet.example/", "fleet.example", false),
  ])
  func `the public address takes precedence over the own one`(url: String, host: String, isEncrypted: Bool) throws {
    let address = try address(.init(listen: "192.0.2.1:443", url: url, certificate: "a", key: "b"))
    #expect(address.settings.host == host && address.settings.isEncrypted == isEncrypted)
  }

  @Test(arguments: ["fleet.example", "https://", "ftp://fleet.example", "https:///x", "https://:80"])
  func `another text is not the address of a page`(url: String) {
    #expect(error(.init(url: url)) == "\"\(url)\" is not the address of a page; write https://HOST")
  }

  @Test func `only a known proxy, or a client of a Unix socket, names people`() throws {
    #expect(error(.init(proxyUserHeader: "X-User"))?.hasPrefix("--proxy-user-header needs --proxy") == true)
    #expect(try address(.init(listen: "/run/hub.sock", proxyUserHeader: "X-User")).settings.proxyUserHeader == "X-User")
    let behind = try address(.init(proxy: "192.0.2.9", proxyUserHeader: "X-User"))
    #expect(behind.settings.proxy == ClientAddress("192.0.2.9") && behind.settings.proxyUserHeader == "X-User")
    #expect(error(.init(proxy: "proxy.example"))?.contains("\"proxy.example\" is not a numeric address") == true)
    #expect(error(.init(listen: "proxy.example"))?.hasPrefix("--listen: ") == true)
    #expect(
      error(.init(listen: "127.0.0.1:99999"))
        == "--listen: \"99999\" is not a port from 1 to 65535; write an address such as \"127.0.0.1:8480\" or a path such as "
        + "\"/run/beaconmon-hub/web.sock\"")
  }
}
