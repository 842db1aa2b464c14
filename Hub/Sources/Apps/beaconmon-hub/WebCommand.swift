import ArgumentParser
import EventLoop
import FleetDatabase
import FleetPage
import Glibc
import ProgramSettings
import HTTPMessages
import HTTPServer
import Instants
import Logging
import MachineFiles
import PageDatabase
import Sodium
import WebFiles
import WebPage

struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Serve the page of the fleet and its API.",
    discussion: """
      People sign in with a password that "beaconmon-hub admin person add" sets, or through a proxy that states their names. The hub \
      accepts such a name only from --proxy, and from clients of a Unix socket. Any number of these programs may serve one database.

      Examples:
        beaconmon-hub web --listen 127.0.0.1:8480
        beaconmon-hub web --listen 0.0.0.0:443 --url https://fleet.example --certificate fleet.crt --key fleet.key
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(
    help: ArgumentHelp(
      "The address or the path of a Unix socket to listen on. An address beyond this machine needs --certificate. "
        + "Defaults to BEACONMON_HUB_WEB_LISTEN, or 127.0.0.1:8480.", valueName: "address"))
  var listen: String?
  @Option(
    help: ArgumentHelp(
      "The public address of the page, such as https://fleet.example.org. Defaults to BEACONMON_HUB_WEB_URL, or the address of --listen.",
      valueName: "url"))
  var url: String?
  @Option(
    help: ArgumentHelp("The certificate with its chain, in PEM. Defaults to BEACONMON_HUB_WEB_CERTIFICATE.", valueName: "file"))
  var certificate: String?
  @Option(help: ArgumentHelp("The key of the certificate, in PEM. Defaults to BEACONMON_HUB_WEB_KEY.", valueName: "file"))
  var key: String?
  @Option(
    help: ArgumentHelp("The numeric address of the reverse proxy. Defaults to BEACONMON_HUB_WEB_PROXY.", valueName: "address"))
  var proxy: String?
  @Option(
    help: ArgumentHelp(
      "The header in which the proxy states the name of the person. Defaults to BEACONMON_HUB_WEB_PROXY_USER_HEADER.", valueName: "header"))
  var proxyUserHeader: String?
  @Option(help: ArgumentHelp("A folder of the page. A file comes from the first one that has it.", valueName: "folder"))
  var pages = ["/usr/share/beaconmon-hub/page"]
  @Option(help: ArgumentHelp("The folder of Leaflet.", valueName: "folder")) var leaflet = "/usr/share/javascript/leaflet"

  mutating func run() throws {
    try readSettings()
    let address = try address()
    let parameters = try database.parameters()
    for file in ["index.html", "app/dom.js"] where !pages.contains(where: { access("\($0)/\(file)", R_OK) == 0 }) {
      throw ValidationError("no folder of the page has \(file); install the package beaconmon-hub, or name folders with --pages")
    }
    let encryption = try encryption()
    let log = Logger.hub
    try FleetSchema.checkPatiently(connecting: database.connect) {
      log.error("\($0); tries again")
    } pause: {
      sleep(2)
    }
    let loop = try Loop()
    // The signals are blocked before a thread starts.
    let signals = try [SIGTERM, SIGINT].map { try loop.signal($0) { loop.stop() } }
    signal(SIGPIPE, SIG_IGN)
    let archive = try PageDatabase(loop, parameters, log: log) { try FleetSchema($0).check() }
    let feed = ChangeFeed(loop, archive)
    let files = WebFiles(folders: pages, leaflet: leaflet)
    let page = FleetPage(
      address.settings, SignIns(loop, archive, try PasswordThread(loop), makeSecret: HTTPServer.makeSecret), archive, feed,
      files: files.response, makeSecret: HTTPServer.makeSecret)
    let server = try HTTPServer(
      loop, at: address.endpoint, limits(address), encryption: encryption, isOwnHost: { _ in true }, headers: WebPage.headers
    ) { page.respond(to: $0, $1) }
    let manager = try ServiceManager(loop: loop)
    manager.ready("Listening at \(address.endpoint)")
    log.notice("listening on \(address.endpoint)")
    _ = try loop.run()
    withExtendedLifetime((signals, server)) { manager.stopping() }
  }

  /// Takes the options that are not given from the settings.
  private mutating func readSettings() throws {
    listen = try listen ?? setting(.webListen)
    url = try url ?? setting(.webURL)
    certificate = try certificate ?? setting(.webCertificate)
    key = try key ?? setting(.webKey)
    proxy = try proxy ?? setting(.webProxy)
    proxyUserHeader = try proxyUserHeader ?? setting(.webProxyUserHeader)
  }

  private func address() throws -> PageAddress {
    let options = PageAddress.Options(
      listen: listen, url: url, certificate: certificate, key: key, proxy: proxy, proxyUserHeader: proxyUserHeader)
    do { return try PageAddress(options, version: BeaconmonHub.configuration.version) } catch { throw ValidationError("\(error)") }
  }

  private func encryption() throws -> HTTPServer.Encryption? {
    guard let certificate, let key else { return nil }
    for file in [certificate, key] { try LocalFiles.requireReadable(file, or: "name another file") }
    return HTTPServer.Encryption(
      certificate: try WebFiles.text(of: certificate, atMost: 1 << 18), key: try WebFiles.text(of: key, atMost: 1 << 18))
  }

  private func limits(_ address: PageAddress) -> HTTPServerLimits {
    var limits = HTTPServerLimits()
    (limits.connections, limits.idle, limits.duration) = (512, .seconds(10), .seconds(30))
    (limits.connectionsOfAddress, limits.contentSize) = (address.connectionsOfAddress, FleetPage.largestContent)
    return limits
  }
}
