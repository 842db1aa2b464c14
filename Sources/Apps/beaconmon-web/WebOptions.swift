import DBus
import Failures
import LocalEndpoints
import ProgramSupport
import WebAccess

/// The command line of beaconmon-web.
struct WebOptions {
  let bus: BusAddress
  let configFile: ConfigurationFile
  let endpoint: LocalEndpoint
  let pages: String
  let leaflet: String
  /// The role of the login whose address is printed at the start; nil prints none.
  let login: WebRole?

  init(_ flags: Flags) throws(Failure) {
    bus = try flags.busAddress()
    configFile = ConfigurationFile(flag: flags["config"], isSession: flags.has("session"))
    do throws(LocalEndpointError) {
      endpoint = try LocalEndpoint(text: flags["listen"] ?? "127.0.0.1:8463", access: .group)
    } catch {
      throw Failure(.usage, "--listen: \(error)")
    }
    pages = flags["pages"] ?? "/usr/share/beaconmon-web"
    leaflet = flags["leaflet"] ?? "/usr/share/javascript/leaflet"
    if let text = flags["login"] {
      guard let role = WebRole(rawValue: text) else { throw Failure(.usage, "--login \"\(text)\": the roles are view and edit") }
      login = role
    } else {
      login = nil
    }
  }
}
