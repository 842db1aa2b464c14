import DBus
import ErrorMapping
import EventLoop
import Failures
import Glibc
import HTTPServer
import Instants
import LocalEndpoints
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import WebAccess
import WebFiles
import WebPage

/// Connects the parts of beaconmon-web: the daemon on the bus, the logins, the page, and the server.
final class WebProgram {
  private let service: ServiceProgram
  private let options: WebOptions
  private let feed: LiveFeed
  private let page: WebPage
  private let logins: LoginService
  private var settings: WebSettings
  private var encryption: HTTPServer.Encryption?
  private var server: HTTPServer?

  init(_ options: WebOptions) throws(Failure) {
    self.options = options
    let document = try options.configFile.read()
    settings = document.configuration.web
    encryption = try Self.encryption(settings)
    service = try ServiceProgram("beaconmon-web", bus: options.bus, configFile: options.configFile, document)
    let (loop, log) = (service.loop, service.log)
    if let state = options.state {
      do throws(SystemCallError) { try Folder.make(state) } catch {
        throw Failure(.osError, "\(error); name another folder with --state")
      }
    }
    let access = WebAccess(loop, SessionFile(folder: options.state), log: log) { Self.secret() }
    let link = DaemonLink(service.connection)
    let maps: ErrorMapper
    do throws(SystemCallError) { maps = try ErrorMapper(loop) } catch { throw Failure(.unavailable, "\(error)") }
    feed = LiveFeed(loop, link)
    page = WebPage(
      access, feed, link, WebFiles(folders: [options.pages], leaflet: options.leaflet), VenueDrawer(), maps,
      WebPage.Settings(document.configuration))
    logins = try LoginService(service.connection, access, log)
    logins.address = settings.address
    logins.onEnd = { [feed] in feed.endInvalid() }
  }

  func run() throws(Failure) -> ExitStatus {
    guard access("\(options.pages)/index.html", R_OK) == 0 else {
      throw Failure(.noInput, "\(options.pages)/index.html cannot be read; name the folder of the page with --pages")
    }
    try service.run { [unowned self] in
      start()
    } onReload: { [unowned self] document throws(Failure) in
      try reload(document.configuration)
      return "\(feed.viewerCount) viewer\(feed.viewerCount == 1 ? "" : "s")"
    }
    server = nil
    return .ok
  }

  private func start() {
    do throws(Failure) { try listen() } catch { return service.end(error) }
    if let role = options.login { Program.write("\(logins.address(for: role))\n", to: STDOUT_FILENO) }
    service.ready("Listening at \(settings.endpoint)")
  }

  /// Applies other settings, and listens again if the address or the certificate is another one.
  private func reload(_ configuration: Configuration) throws(Failure) {
    let (earlier, before) = (settings, encryption)
    let new = configuration.web
    (settings, encryption) = (new, try Self.encryption(new))
    page.settings = WebPage.Settings(configuration)
    logins.address = new.address
    guard new.endpoint != earlier.endpoint || encryption != before else { return }
    server = nil
    do throws(Failure) {
      try listen()
    } catch {
      (settings, encryption) = (earlier, before)
      try listen()
      throw error
    }
    service.ready("Listening at \(new.endpoint)")
  }

  private func listen() throws(Failure) {
    var limits = HTTPServer.Limits()
    (limits.connections, limits.idle, limits.duration) = (256, .seconds(10), .seconds(60))
    // On the loopback interface all clients have one address, and behind a proxy, too.
    if case .network = settings.endpoint { limits.connectionsOfAddress = 48 }
    limits.contentSize = 4 << 20
    do throws(HTTPServerError) {
      server = try HTTPServer(
        service.loop, at: settings.endpoint, limits, encryption: encryption, isOwnHost: { _ in true }, headers: WebPage.headers
      ) { [page] in page.respond(to: $0, $1) }
    } catch {
      throw Failure(.unavailable, "\(error)")
    }
  }

  private static func encryption(_ settings: WebSettings) throws(Failure) -> HTTPServer.Encryption? {
    guard let certificate = settings.certificate, let key = settings.key else { return nil }
    return HTTPServer.Encryption(certificate: try pem(certificate), key: try pem(key))
  }

  /// Reads a certificate or a key.
  private static func pem(_ path: String) throws(Failure) -> String {
    do throws(WebFileError) { return try WebFiles.text(of: path, atMost: 1 << 18) } catch {
      throw Failure(.noInput, "\(error); let the user of the service read it, for example with LoadCredential= in a drop-in")
    }
  }

  /// Returns 256 random bits as text.
  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next() as UInt64, radix: 36)
      return String(repeating: "0", count: 13 - digits.count) + digits
    }.joined()
  }
}

extension WebPage.Settings {
  fileprivate init(_ configuration: Configuration) {
    self.init()
    let web = configuration.web
    hosts = Set(web.hosts)
    if case .network(let host, _) = web.endpoint, !["0.0.0.0", "[::]"].contains(host) { hosts.insert(host) }
    (isEncrypted, proxyUserHeader, editors) = (web.certificate != nil, web.proxyUserHeader, Set(web.editors))
    (version, language) = (Program.version, configuration.languages.first)
  }
}

extension WebSettings {
  /// The address of the page, without a slash at its end.
  fileprivate var address: String {
    let scheme = certificate == nil ? "http" : "https"
    switch endpoint {
    case .local(.port(let address, let port)): return "\(scheme)://\(address):\(port)"
    // A proxy connects to the socket.
    case .local(.socket): return "https://\(hosts.first ?? "localhost")"
    case .network(let host, let port):
      let name = hosts.first ?? (host == "0.0.0.0" || host == "[::]" ? "localhost" : host)
      return "\(scheme)://\(name)\(port == 443 ? "" : ":\(port)")"
    }
  }
}
