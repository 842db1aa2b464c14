import Instants
import Records

/// A place where sessions outlive the process.
public protocol WebSessionStore: AnyObject {
  /// Returns the stored text; nil if there is none.
  func load() throws(WebStoreFailure) -> String?
  func save(_ text: String) throws(WebStoreFailure)
}

public struct WebStoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// A session as it is stored: without the secret of its cookie.
struct StoredSession: Hashable {
  let id: String
  let role: WebRole
  /// The times since the Unix epoch.
  let begin: Instant
  var lastUse: Instant

  static func text(of sessions: [StoredSession]) -> String {
    let list = sessions.map { session in
      Record([
        "id": .text(session.id), "role": .text(session.role.rawValue), "begin": .integer(session.begin.microseconds),
        "lastUse": .integer(session.lastUse.microseconds),
      ])
    }
    return Record(["sessions": .list(list)]).json + "\n"
  }

  static func read(_ text: String) throws(WebStoreFailure) -> [StoredSession] {
    let record: Record
    do throws(JSONError) { record = try Record(json: text) } catch { throw WebStoreFailure("the file of sessions is damaged: \(error)") }
    let sessions = (record["sessions"]?.list ?? []).compactMap(StoredSession.init)
    guard let list = record["sessions"]?.list, sessions.count == list.count else {
      throw WebStoreFailure("the file of sessions is damaged: a session is not whole")
    }
    return sessions
  }

  private init?(_ record: Record) {
    guard let id = record["id"]?.text, id.utf8.count == 64, let role = record["role"]?.text.flatMap(WebRole.init(rawValue:)),
      let begin = record["begin"].flatMap(Int64.init(recordValue:)), let lastUse = record["lastUse"].flatMap(Int64.init(recordValue:))
    else { return nil }
    self.init(id: id, role: role, begin: Instant(microseconds: begin), lastUse: Instant(microseconds: lastUse))
  }

  init(id: String, role: WebRole, begin: Instant, lastUse: Instant) {
    (self.id, self.role, self.begin, self.lastUse) = (id, role, begin, lastUse)
  }
}
