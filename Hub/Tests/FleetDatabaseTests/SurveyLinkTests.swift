import FleetDatabase
import Instants
import PostgreSQL
import RoomSurveying
import Rooms
import Testing

/// The errors of PostgreSQL after which the link of an installer is opened again.
@Suite struct SurveyLinkTests {
  private let parameters: String
  private let connection: PostgreSQLConnection

  /// An installer who lists or forgets surveys.
  private final class Installer: SurveyTerminal, SurveyClock {
    var lines: [String] = []
    var uptime: Span { .zero }
    var meanwhile: () -> Void = {}

    func show(_ line: String) { lines.append(line) }
    func ask(_ question: String) -> String? { nil }
    func pause(_ time: Span) { meanwhile() }
  }

  private let installer = Installer()

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    try SurveyDatabase(connection).store(RoomSurvey(room: "hall", seconds: 60, listeners: []), at: "berlin", from: 0, by: "test")
  }

  private func survey() -> SiteSurvey {
    SiteSurvey(
      of: "berlin", connect: { [parameters] in try SurveyDatabase(try PostgreSQLConnection(parameters)) }, installer, installer, by: "test")
  }

  @Test("a call succeeds although the server ended the link, and the installer sees it")
  func brokenLink() throws {
    let survey = survey()
    try survey.list()
    try connection.run(
      script: "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
    installer.lines = []
    try survey.forget("hall")
    #expect(try connection.lines("select count(*) from room_survey") == ["0"])
    #expect(installer.lines.count == 2 && installer.lines[1] == "forgot the survey of hall")
    #expect(installer.lines[0].hasPrefix("database: ") && installer.lines[0].hasSuffix("; connects again in 1 s"))
  }

  @Test("a database that only reads for a while takes the change later")
  func readOnly() throws {
    let connection = connection
    func set(_ value: String) -> String {
      "do $$ begin execute format('alter database %I set default_transaction_read_only = \(value)', current_database()); end $$"
    }
    installer.meanwhile = { _ = try? connection.run(script: set("off")) }
    try connection.run(script: set("on"))
    try survey().forget("hall")
    #expect(try connection.lines("select count(*) from room_survey") == ["0"])
    #expect(installer.lines.count == 2 && installer.lines[0].contains("(25006); connects again"))
  }

  @Test("wrong settings and errors that stay are reported at once")
  func lastingErrors() throws {
    let wrong = SiteSurvey(
      of: "berlin", connect: { try SurveyDatabase(try PostgreSQLConnection("host=/nonexistent dbname=fleet")) }, installer, installer,
      by: "test")
    #expect(throws: PostgreSQLError.self) { try wrong.list() }
    let survey = survey()
    try connection.run(script: "drop table room_survey")
    #expect(throws: PostgreSQLError.self) { try survey.forget("hall") }
    #expect(installer.lines.isEmpty)
  }
}
