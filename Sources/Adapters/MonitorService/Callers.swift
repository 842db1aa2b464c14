import Consent
import DBus

/// Who is behind each connection that calls.
final class Callers {
  /// More are forgotten, all at once: more connections than a bus has are names that will not come back.
  private static let most = 512

  private let credentials: PeerCredentials
  private unowned let authority: any ConsentAuthority
  /// What the system said of whoever had these credentials; a change of groups counts from the next connection.
  private var people: [String: (credentials: BusCredentials, person: Person)] = [:]

  init(_ connection: DBusConnection, _ authority: any ConsentAuthority) {
    credentials = PeerCredentials(connection)
    self.authority = authority
  }

  /// True when `person` can tell already.
  func find(_ busName: String, completion: @escaping () -> Void) -> Bool {
    credentials.find(busName, completion: completion)
  }

  /// Nil for one that the bus does not know, such as one that has left.
  func person(_ busName: String) -> Person? {
    guard let found = credentials[busName] else { return nil }
    if let (known, person) = people[busName], known == found { return person }
    let person = authority.person(found)
    if people.count >= Self.most { people = [:] }
    people[busName] = (found, person)
    return person
  }

  func isInsider(_ busName: String) -> Bool { person(busName).map(authority.isInsider) ?? false }
}
