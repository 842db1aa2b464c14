import FleetDatabase
import Instants
import PostgreSQL
import Rooms
import Testing

@Suite struct SurveyLinkTests {
  private let parameters: String
  private let connection: PostgreSQLConnection
  private let notes = Notes()

  private final class Notes {
    var lines: [String] = []
    var pauses: [Span] = []
    var connections = 0
  }

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
  }

  /// - Parameter meanwhile: Runs while the link waits.
  private func link(meanwhile: @escaping () -> Void = {}) -> SurveyLink {
    let (notes, parameters) = (notes, parameters)
    return SurveyLink(
      connect: {
        notes.connections += 1
        return try PostgreSQLConnection(parameters)
      }, report: { notes.lines.append($0) },
      pause: {
        notes.pauses.append($0)
        meanwhile()
      })
  }

  private func store(_ link: SurveyLink) throws {
    try link.run { try $0.store(RoomSurvey(room: "hall", seconds: 60, listeners: []), at: "berlin", from: 0, by: "test") }
  }

  private func endLinks() throws {
    try connection.run(
      script: "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
  }

  @Test("a survey is stored although the link broke during the walk, and the installer sees it")
  func brokenLink() throws {
    let link = link()
    #expect(try link.run { try $0.time() } > 0)
    try endLinks()
    try store(link)
    #expect(try connection.lines("select room from room_survey") == ["hall"])
    #expect(notes.connections == 2 && notes.lines.count == 1)
    #expect(
      notes.lines[0].hasPrefix("database: ") && notes.lines[0].hasSuffix("; connects again in 1 s") || notes.lines[0].hasSuffix("2 s"))
  }

  @Test("a database that only reads for a while takes the survey later")
  func readOnly() throws {
    let connection = connection
    func set(_ value: String) -> String {
      "do $$ begin execute format('alter database %I set default_transaction_read_only = \(value)', current_database()); end $$"
    }
    let link = link { _ = try? connection.run(script: set("off")) }
    try connection.run(script: set("on"))
    try store(link)
    #expect(try connection.lines("select room from room_survey") == ["hall"])
    #expect(notes.lines.map { $0.contains("(25006); connects again") } == [true])
  }

  @Test("a link that cannot be made again ends after attempts for about 40 seconds")
  func givingUp() throws {
    let notes = notes
    let (first, connect) = (parameters, { (parameters: String) in try PostgreSQLConnection(parameters) })
    let link = SurveyLink(
      connect: {
        notes.connections += 1
        return try connect(notes.connections == 1 ? first : "host=/nonexistent dbname=fleet")
      }, report: { notes.lines.append($0) }, pause: { notes.pauses.append($0) })
    #expect(try link.run { try $0.time() } > 0)
    try endLinks()
    #expect(throws: PostgreSQLError.self) { try link.run { try $0.time() } }
    let seconds = notes.pauses.reduce(0) { $0 + $1.seconds }
    #expect(notes.pauses.count == 7 && (25...55).contains(seconds), "\(seconds)")
    #expect(notes.lines.last?.contains("/nonexistent") == true)
  }

  @Test("wrong settings and errors that stay are reported at once")
  func lastingErrors() throws {
    let notes = notes
    let wrong = SurveyLink(
      connect: { try PostgreSQLConnection("host=/nonexistent dbname=fleet") }, report: { notes.lines.append($0) },
      pause: { notes.pauses.append($0) })
    #expect(throws: PostgreSQLError.self) { try wrong.run { try $0.time() } }
    try connection.run(script: "drop table room_survey")
    let link = link()
    #expect(throws: PostgreSQLError.self) { try store(link) }
    #expect(notes.lines.isEmpty && notes.pauses.isEmpty)
  }
}
