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
import ProgramVersion
import Records
import SessionFiles
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
  private let server: PageServer<ServerPlace>

  init(_ options: WebOptions) throws(Failure) {
    self.options = options
    let document = try options.configFile.read()
    let settings = document.configuration.web
    let place = try ServerPlace(settings)
    service = try ServiceProgram("beaconmon-web", bus: options.bus, configFile: options.configFile, document)
    let (loop, log) = (service.loop, service.log)
    if let state = options.state {
      do throws(SystemCallError) { try Folder.make(state) } catch {
        throw Failure(.osError, "\(error); name another folder with --state")
      }
    }
    let access = WebAccess(loop, SessionFile(folder: options.state), log: log) { HTTPServer.makeSecret() }
    let link = PageLink(service.connection)
    let maps: ErrorMapper
    do throws(SystemCallError) { maps = try ErrorMapper(loop) } catch { throw Failure(.unavailable, "\(error)") }
    feed = LiveFeed(loop, link)
    page = WebPage(
      access, feed, link, WebFiles(folders: [options.pages], leaflet: options.leaflet), VenueDrawer(), maps,
      WebPage.Settings(document.configuration))
    logins = try LoginService(service.connection, access, log)
    logins.address = settings.address
    server = PageServer(at: place) { [loop, page] place throws(Failure) in try Self.open(loop, page, at: place) }
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
      return Count.text(feed.viewerCount, "viewer")
    }
    server.close()
    return .ok
  }

  private func start() {
    do throws(Failure) { try server.listen() } catch { return service.end(error) }
    if let role = options.login { Program.write("\(logins.address(for: role))\n", to: STDOUT_FILENO) }
    service.ready("Listening at \(server.place.endpoint)")
  }

  /// Applies other settings, unless the server cannot listen as they say.
  private func reload(_ configuration: Configuration) throws(Failure) {
    let place = try ServerPlace(configuration.web)
    let hasMoved: Bool
    do throws(Failure) { hasMoved = try server.move(to: place) } catch {
      // The service manager starts the program again.
      if !server.isListening { service.end(error) }
      throw error
    }
    page.settings = WebPage.Settings(configuration)
    logins.address = configuration.web.address
    if hasMoved { service.ready("Listening at \(place.endpoint)") }
  }

  private static func open(_ loop: Loop, _ page: WebPage, at place: ServerPlace) throws(Failure) -> HTTPServer {
    do throws(HTTPServerError) {
      return try HTTPServer(
        loop, at: place.endpoint, WebPage.limits(at: place.endpoint), encryption: place.encryption, isOwnHost: { _ in true },
        headers: WebPage.headers
      ) { page.respond(to: $0, $1) }
    } catch {
      throw Failure(.unavailable, "\(error)")
    }
  }
}

/// The address of the server, and its certificate.
private struct ServerPlace: Equatable {
  let endpoint: ServerEndpoint
  /// Nil without TLS.
  let encryption: HTTPServer.Encryption?

  init(_ settings: WebSettings) throws(Failure) {
    endpoint = settings.endpoint
    guard let certificate = settings.certificate, let key = settings.key else {
      encryption = nil
      return
    }
    do throws(WebFileError) {
      encryption = HTTPServer.Encryption(certificate: try WebFiles.pem(certificate), key: try WebFiles.pem(key))
    } catch {
      throw Failure(.noInput, "\(error)")
    }
  }
}

extension WebPage.Settings {
  fileprivate init(_ configuration: Configuration) {
    self.init()
    let web = configuration.web
    hosts = web.names
    (isEncrypted, proxyUserHeader, editors) = (web.certificate != nil, web.proxyUserHeader, Set(web.editors))
    (version, language) = (ProgramVersion.current, configuration.languages.first)
  }
}

/// The texts of venue files for the editor of the page.
private struct VenueDrawer: VenueDrawings {
  func drawing(of text: String) throws(PageRefusal) -> String {
    do throws(VenueEditError) { return try VenueDrawing(text).json } catch { throw PageRefusal(error) }
  }

  func apply(_ edits: [Record], to text: String) throws(PageRefusal) -> String {
    do throws(VenueEditError) {
      var changes: [VenueEdit] = []
      for edit in edits { changes.append(try VenueEdit(edit)) }
      return try VenueEdit.apply(changes, to: text)
    } catch { throw PageRefusal(error) }
  }
}

extension PageRefusal {
  fileprivate init(_ error: VenueEditError) {
    self.init(422, "invalid", "\(error)")
    problems = ["\(error)"]
  }
}
