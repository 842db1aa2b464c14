public import EventLoop
public import FleetPage
public import FleetQueries
import Instants
public import Logging
import People
public import PostgreSQL
import WebPage

/// The database of the fleet, for the page: a few threads with a connection each.
public final class PageDatabase: FleetArchive {
  /// The connections, and the queries that wait for them.
  ///
  /// Further queries are refused, so that a slow database does not fill the memory.
  private static let (connections, mostWaiting) = (4, 256)

  /// The time limit of a statement, after which the database ends it. The connection waits a little longer.
  private static let script = "set statement_timeout = '5s'; set idle_in_transaction_session_timeout = '10s'; set time zone 'UTC'"
  private static let limit = Span.seconds(8)

  private let threads: WorkThreads<RenewedLink<PostgreSQLConnection, PostgreSQLError>>
  private var log: ArchiveLog

  /// - Parameters:
  ///   - parameters: a connection string of libpq
  ///   - check: throws unless a database has the schema of this program
  public init(
    _ loop: Loop, _ parameters: String, log: Logger, check: @escaping @Sendable (PostgreSQLConnection) throws -> Void
  ) throws(SystemCallError) {
    self.log = ArchiveLog(log)
    threads = try WorkThreads(loop, named: "beaconmon-db", count: Self.connections, mostWaiting: Self.mostWaiting) {
      RenewedLink {
        MonotonicClock.now
      } open: { () throws(PostgreSQLError) in
        try Self.open(parameters, check)
      } test: { connection throws(PostgreSQLError) in
        try connection.check()
      }
    }
  }

  static func open(
    _ parameters: String, _ check: (PostgreSQLConnection) throws -> Void
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    let new = try PostgreSQLConnection(parameters, limit: limit)
    try new.run(script: script)
    do { try check(new) } catch let error as PostgreSQLError {
      throw error
    } catch {
      throw PostgreSQLError(code: PostgreSQLError.otherSchema, message: "\(error)")
    }
    return new
  }

  public func read(_ query: FleetQuery, by person: Person, _ answer: @escaping ArchiveAnswer<[ArchiveRow]>) {
    run(answer) { connection throws(PostgreSQLError) in
      try query.rows(connection, for: person)
    }
  }

  public func make(_ change: FleetChange, by person: Person, _ answer: @escaping ArchiveAnswer<ChangeOutcome>) {
    run(isChange: true, answer) { connection throws(PostgreSQLError) in
      switch change {
      case .nameTag(let site, let tag, let name): try PeopleDatabase(connection).name(tag, at: site, name, by: person)
      case .grant(let site, let other, let role): try PeopleDatabase(connection).grant(role, to: other, site: site, by: .person(person))
      case .giveTag(let site, let tag, let owner): try ShareDatabase(connection).give(tag, at: site, to: owner, by: person)
      case .shareTag(let site, let tag, let share): try ShareDatabase(connection).share(tag, at: site, share, by: person)
      case .answerShare(let site, let id, let isAccepted):
        try ShareDatabase(connection).answer(id, at: site, isAccepted: isAccepted, by: person)
      case .endShare(let site, let id): try ShareDatabase(connection).end(id, at: site, by: person)
      }
    }
  }

  public func account(named name: String, _ answer: @escaping ArchiveAnswer<Account?>) {
    run(answer) { connection throws(PostgreSQLError) in try PeopleDatabase(connection).account(named: name) }
  }

  public func begin(session: String, of account: Account, _ answer: @escaping ArchiveAnswer<Bool>) {
    run(isChange: true, answer) { connection throws(PostgreSQLError) in try PeopleDatabase(connection).begin(session: session, of: account)
    }
  }

  public func end(session: String, _ answer: @escaping ArchiveAnswer<Void>) {
    run(answer) { connection throws(PostgreSQLError) in try PeopleDatabase(connection).end(session: session) }
  }

  public func person(of login: Login, _ answer: @escaping ArchiveAnswer<Person?>) {
    run(answer) { connection throws(PostgreSQLError) in try PeopleDatabase(connection).persons(of: [login])[login] }
  }

  public func feedUpdate(_ request: FeedRequest, _ answer: @escaping ArchiveAnswer<FeedUpdate>) {
    run(answer) { connection throws(PostgreSQLError) in try FeedUpdate(request, connection) }
  }

  private func run<Value: Sendable>(
    isChange: Bool = false, _ answer: @escaping ArchiveAnswer<Value>,
    _ work: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Value
  ) {
    let isTaken = threads.run({ $0.run(isChange: isChange, work) }) { [weak self] (result: Result<Value, PostgreSQLError>) in
      if case .failure(let error) = result { self?.log.note(error) } else { self?.log.note(nil) }
      answer(result.mapError(\.refusal))
    }
    log.note(isRefused: !isTaken, waiting: Self.mostWaiting)
    if !isTaken { answer(.failure(.database)) }
  }
}

extension PostgreSQLError: ArchiveError {
  /// The code of the error of a database with the schema of another version.
  static let otherSchema = "HUB02"

  /// Whether the connection failed, or the database ended it (class "operator intervention").
  public var isOfLink: Bool { code.isEmpty || code.hasPrefix("57P") }

  /// Whether a table, a column or a function is missing (class "syntax error or access rule violation").
  public var isOfMissingPart: Bool { code.hasPrefix("42") }

  public var isOfSchema: Bool { code == Self.otherSchema }
}

extension FeedUpdate {
  fileprivate init(_ request: FeedRequest, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    self.init()
    persons = try PeopleDatabase(connection).persons(of: request.logins)
    shares = try ShareDatabase(connection).digests(of: Set(persons.values.map(\.id)).sorted())
    if let beyond = request.beyond { moves = try Self.moves(request.sites, beyond: beyond, connection) }
    if moves.count == Self.mostMoves, let last = moves.last {
      highest = last.number
    } else {
      highest = Int64(try connection.run(PostgreSQLStatement("select coalesce(max(change_id), 0) from room_change")).first ?? "") ?? 0
    }
    let statement = PostgreSQLStatement(
      """
      select device_id, site_id, json_build_object('site', s.name, 'device', d.name, 'state', d.state)
      from device_overview d join site s using (site_id) where site_id = any($1::int4[])
      """, [.keys(request.sites)])
    devices = try connection.run(statement).rows.compactMap { row in
      guard let device = row[0].flatMap({ Int32($0) }), let site = row[1].flatMap({ Int32($0) }) else { return nil }
      return Device(device: device, site: site, json: row[2] ?? "{}")
    }
  }

  /// The maximum number of room changes of an answer. The following ones come with the next answer.
  private static let mostMoves = 10_000

  private static func moves(_ sites: [Int32], beyond: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [Move] {
    let statement = PostgreSQLStatement(
      """
      select c.change_id, b.site_id, json_build_object('site', s.name, 'uuid', b.uuid, 'major', b.major, 'minor', b.minor, 'name', n.name,
        'time', c.changed_at, 'from', c.from_room, 'to', c.to_room)
      from room_change c join beacon b using (beacon_id) join site s using (site_id) left join beacon_name n using (beacon_id)
      where c.change_id > $2::int8 and b.site_id = any($1::int4[]) order by c.change_id limit $3::int8
      """, [.keys(sites), .integer(beyond), .integer(mostMoves)])
    return try connection.run(statement).rows.compactMap { row in
      guard let number = row[0].flatMap({ Int64($0) }), let site = row[1].flatMap({ Int32($0) }) else { return nil }
      return Move(number: number, site: site, json: row[2] ?? "{}")
    }
  }
}
