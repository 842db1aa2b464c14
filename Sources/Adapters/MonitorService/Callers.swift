import Consent
import ConsentService
import DBus

/// The users behind the bus connections that call the daemon.
final class Callers {
  /// Maximum number of cached people, above which the cache is cleared.
  ///
  /// A bus has fewer connections, so a larger cache holds names that do not return.
  private static let most = 512

  private let credentials: PeerCredentials
  private unowned let authority: ConsentService
  /// The credentials and the person of each connection, by bus name.
  ///
  /// The system describes the person once, so a change of groups takes effect with the next connection.
  private var people: [String: (credentials: BusCredentials, person: Person)] = [:]

  init(_ connection: DBusConnection, _ authority: ConsentService) {
    credentials = PeerCredentials(connection)
    self.authority = authority
  }

  /// Returns true if `person` can answer already; otherwise calls `completion` when it can.
  func find(_ busName: String, completion: @escaping () -> Void) -> Bool {
    credentials.find(busName, completion: completion)
  }

  /// Returns the user of a connection; nil for a connection that the bus does not know, such as one that has left.
  func person(_ busName: String) -> Person? {
    guard let found = credentials[busName] else { return nil }
    if let (known, person) = people[busName], known == found { return person }
    let person = authority.person(user: found.userID, groups: found.groupIDs)
    if people.count >= Self.most { people = [:] }
    people[busName] = (found, person)
    return person
  }

  func isInsider(_ busName: String) -> Bool { person(busName).map(authority.isInsider) ?? false }
}
