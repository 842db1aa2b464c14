import DBus
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
  private let access: WebAccess
  private let page: WebPage
  private let logins: LoginService
  private var server: HTTPServer?

  init(_ options: WebOptions) throws(Failure) {
    self.options = options
    let document = try options.configFile.read()
    service = try ServiceProgram("beaconmon-web", bus: options.bus, configFile: options.configFile, document)
    let loop = service.loop
    access = WebAccess(loop) { Self.secret() }
    let link = DaemonLink(service.connection)
    var settings = WebPage.Settings()
    (settings.version, settings.language) = (Program.version, document.configuration.languages.first)
    page = WebPage(
      access, LiveFeed(loop, link), link, WebFiles(folder: options.pages, leaflet: options.leaflet), settings)
    logins = try LoginService(service.connection, access, address: "http://\(options.endpoint)", service.log)
  }

  func run() throws(Failure) -> ExitStatus {
    try service.run { [unowned self] in
      start()
    } onReload: { [unowned self] document throws(Failure) in
      page.settings.language = document.configuration.languages.first
      return "\(page.viewerCount) viewers"
    }
    server = nil
    return .ok
  }

  private func start() {
    var limits = HTTPServer.Limits()
    (limits.connections, limits.idle, limits.duration) = (256, .seconds(10), .seconds(60))
    limits.contentSize = 4 << 20
    do throws(HTTPServerError) {
      server = try HTTPServer(
        service.loop, at: options.endpoint, limits, isOwnHost: { _ in true }, headers: WebPage.headers
      ) { [page] in page.respond(to: $0, $1) }
    } catch {
      return service.end(Failure(.unavailable, "\(error)"))
    }
    if let role = options.login { Program.write("\(logins.address(for: role))\n", to: STDOUT_FILENO) }
    service.ready("Listening at \(options.endpoint)")
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
