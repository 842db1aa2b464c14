import LocalEndpoints
import MonitorConfiguration
import Testing

/// The table `web`.
@Suite struct WebConfigurationTests {
  private func settings(_ text: String) throws -> WebSettings {
    try Configuration.parse(text: "source = \"auto\"\n[web]\n\(text)", name: "t").web
  }

  private func problems(_ text: String) -> String {
    do throws(ConfigurationError) {
      _ = try Configuration.parse(text: "[web]\n\(text)", name: "t")
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `the page is for this machine by default`() throws {
    #expect(try settings("") == WebSettings())
    #expect(WebSettings().endpoint == .local(.port(.ipv4(127, 0, 0, 1), 8463)))
  }

  @Test func `the page listens on a socket, a loopback port or, with a certificate, a network`() throws {
    #expect(try settings("listen = \"/run/p.sock\"\naccess = \"owner\"").endpoint == .local(.socket(path: "/run/p.sock", access: .owner)))
    #expect(try settings("listen = \"[::1]:80\"").endpoint == .local(.port(.ipv6, 80)))
    let encrypted = "certificate = \"/c.pem\"\nkey = \"/k.pem\"\nhosts = \"Gallery.example\"\n"
    #expect(try settings("\(encrypted)listen = \"0.0.0.0:443\"").endpoint == .network("0.0.0.0", 443))
    #expect(try settings("\(encrypted)listen = \"[::]:443\"").endpoint == .network("[::]", 443))
    #expect(try settings("\(encrypted)listen = \"192.168.1.5:443\"").hosts == ["gallery.example"])
  }

  @Test func `the address of the page has the first name of the host, and no port of its own for HTTPS`() throws {
    let encrypted = "certificate = \"/c.pem\"\nkey = \"/k.pem\"\n"
    let named = "\(encrypted)hosts = [\"a.example\", \"b.example\"]\n"
    #expect(try settings("").address == "http://127.0.0.1:8463")
    #expect(try settings("\(encrypted)listen = \"[::1]:80\"").address == "https://[::1]:80")
    #expect(try settings("listen = \"/p.sock\"").address == "https://localhost")
    #expect(try settings("listen = \"/p.sock\"\nhosts = \"a.example\"").address == "https://a.example")
    #expect(try settings("\(named)listen = \"0.0.0.0:443\"").address == "https://a.example")
    #expect(try settings("\(encrypted)listen = \"[::]:8443\"").address == "https://localhost:8443")
    #expect(try settings("\(encrypted)listen = \"192.168.1.5:443\"").address == "https://192.168.1.5")
  }

  @Test func `the page has the names of the config, and the address of one interface`() throws {
    let named = "certificate = \"/c.pem\"\nkey = \"/k.pem\"\nhosts = \"a.example\"\n"
    #expect(try settings("\(named)listen = \"192.168.1.5:443\"").names == ["a.example", "192.168.1.5"])
    #expect(try settings("\(named)listen = \"0.0.0.0:443\"").names == ["a.example"])
    #expect(try settings("\(named)listen = \"[::]:443\"").names == ["a.example"])
    #expect(try settings("").names == [])
  }

  @Test func `a network without a certificate is an error with the remedy`() {
    #expect(problems("listen = \"0.0.0.0:8463\"").contains("web: listen: other machines can reach 0.0.0.0"))
    #expect(problems("listen = \"0.0.0.0:8463\"").contains("add certificate and key"))
    #expect(problems("certificate = \"/c.pem\"").contains("requires its key"))
    #expect(problems("key = \"/c.pem\"").contains("requires its certificate"))
    #expect(problems("listen = \"example.org:8463\"").contains("is not an address of the loopback interface"))
    #expect(problems("listen = \"01.2.3.4:8463\"") != "" && problems("listen = \"0.0.0.0:0\"") != "")
  }

  @Test func `the users of a proxy are trusted only where no other machine connects`() throws {
    let proxy = try settings("listen = \"/p.sock\"\nproxy-user-header = \"X-Remote-User\"\neditors = [\"anna\", \"ben\"]")
    #expect(proxy.proxyUserHeader == "X-Remote-User" && proxy.editors == ["anna", "ben"])
    #expect(
      problems("listen = \"0.0.0.0:1\"\ncertificate = \"/c\"\nkey = \"/k\"\nproxy-user-header = \"X-User\"").contains(
        "proxy-user-header: could be sent by every machine"))
    #expect(problems("editors = \"anna\"").contains("are users of a proxy"))
    #expect(problems("proxy-user-header = \"X: 1\"").contains("is not the name of a header"))
    #expect(problems("hosts = \"a b\"").contains("is not the name of a host"))
    #expect(problems("access = \"group\"").contains("has no effect for a port"))
  }
}
