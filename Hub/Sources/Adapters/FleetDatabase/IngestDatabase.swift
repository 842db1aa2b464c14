import FleetMessages
import Ingest
import PostgreSQL
import Streams

/// The rows of a fleet as a worker reads and writes them. One instance serves one session.
public final class IngestDatabase: FleetStore {
  /// The largest number of numberings of one stream of a device.
  static let mostJournals = 1000
  /// The largest number of beacons of a site, most of which may be forged.
  static let mostBeacons = 20_000

  let connection: PostgreSQLConnection
  private var madeDaysAt: Int?

  /// Prepares the statements of a worker.
  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try connection.beginService()
    try connection.run(script: "set plan_cache_mode = force_generic_plan")
    try FleetSchema(connection).check()
    try connection.prepare(Self.statements)
    try connection.run(script: "call fleet_make_partitions()")
    try connection.run(script: "listen fleet_message")
  }

  public func register(worker: String) throws -> [String] {
    let answers = try connection.run([
      PostgreSQLStatement("select set_config('application_name', left($1, 63), false)", [.text(worker)]),
      PostgreSQLStatement(
        "insert into worker values ($1, clock_timestamp()) on conflict (worker) do update set seen_at = excluded.seen_at", [.text(worker)]),
      PostgreSQLStatement("delete from worker where seen_at < now() - interval '1 hour'"),
      PostgreSQLStatement("select worker from worker where seen_at > now() - interval '8 seconds'"),
      PostgreSQLStatement("select extract(hour from now())::int"),
      PostgreSQLStatement("select fleet_sweep_shares()"),
    ])
    // The partitions of the coming hours exist two hours ahead; every change of the hour is soon enough for the next one.
    let hour = Int(answers[4].first ?? "")
    if hour != madeDaysAt {
      try connection.run(script: "call fleet_make_partitions()")
      madeDaysAt = hour
    }
    return answers[3].rows.compactMap { $0[0] }
  }

  /// Removes the registration, so that other workers take the queues at once.
  public func unregister(worker: String) throws {
    try connection.run(PostgreSQLStatement("delete from worker where worker = $1", [.text(worker)]))
  }

  /// Takes a queue from its last owner.
  ///
  /// If that process is stopped, or its network is cut, its transaction may wait for the rest of a message and keep the queue locked: no
  /// time limit of the server ends that. A transaction that has waited for 2 s for its client is ended here, and the broker delivers its
  /// messages again.
  public func acquire(queue: Int, worker: String) throws -> Int64 {
    let rows = try connection.run([
      PostgreSQLStatement("select set_config('lock_timeout', '3s', true)"),
      PostgreSQLStatement(
        """
        select pg_terminate_backend(pid) from pg_stat_activity join queue on application_name = left(worker, 63)
        where queue = $1::int2 and datname = current_database() and pid <> pg_backend_pid()
          and wait_event_type = 'Client' and xact_start < clock_timestamp() - interval '2 seconds'
        """, [.integer(queue)]),
      PostgreSQLStatement(
        "update queue set epoch = epoch + 1, worker = $2, since = clock_timestamp() where queue = $1::int2 returning epoch",
        [.integer(queue), .text(worker)]),
    ])[2]
    guard let epoch = rows.first.flatMap({ Int64($0) }) else { throw PostgreSQLError(message: "the table queue has no row \(queue)") }
    return epoch
  }

  public func testWrite() throws { try connection.run(script: Self.testWrite) }

  /// Writes 200 messages of 4,000 octets in a table that no other transaction sees, and undoes it.
  ///
  /// The table stores large values in the row, without compression.
  static let testWrite = """
    begin;
    do $$
    declare
      test text := 'fleet_test_write_' || pg_backend_pid();
    begin
      execute format('create table %I(octets bytea)', test);
      execute format('alter table %I alter octets set storage plain', test);
      execute format('insert into %I select convert_to(repeat(''x'', 4000), ''UTF8'') from generate_series(1, 200)', test);
    end $$;
    rollback
    """

  public func devices(at addresses: [DeviceAddress]) throws -> [DeviceAddress: Device] {
    var (sites, names) = (BinaryArray(of: .text), BinaryArray(of: .text))
    for address in addresses {
      sites.append(address.site)
      names.append(address.device)
    }
    var found: [DeviceAddress: Device] = [:]
    for row in try connection.run(PostgreSQLStatement(prepared: "devices", [.array(sites), .array(names)])).rows {
      guard let address = FleetAddress(site: row[0] ?? "", device: row[1] ?? ""), let id = row.number(2, Int32.self),
        let site = row.number(3, Int32.self)
      else { throw PostgreSQLError(message: "the table device has a row that cannot be read") }
      let numbering = NumberingHistory(
        current: row[5].flatMap(StreamJournal.init(uuid:)), currentReport: row[8].flatMap(StreamJournal.init(uuid:)),
        returns: row.number(6, Int64.self) ?? 0, returned: row.number(7, Int64.self) ?? 0)
      found[address] = Device(id: id, site: site, isRevoked: row[4] == "t", numbering: numbering)
    }
    return found
  }

  public func streams(_ keys: [StreamKey]) throws -> [StreamKey: LoadedStream] {
    var (devices, streams, journals) = (BinaryArray(of: .int4), BinaryArray(of: .int2), BinaryArray(of: .uuid))
    for key in keys {
      devices.append(key.device)
      streams.append(Int16(key.stream.rawValue))
      journals.append(high: key.journal.high, low: key.journal.low)
    }
    var found: [StreamKey: LoadedStream] = [:]
    for row in try connection.run(PostgreSQLStatement(prepared: "streams", [.array(devices), .array(streams), .array(journals)])).rows {
      guard let device = row.number(0, Int32.self), let stream = row.number(1, UInt8.self).flatMap(FleetMessage.Stream.init(rawValue:)),
        let journal = row[2].flatMap(StreamJournal.init(uuid:))
      else { throw PostgreSQLError(message: "the table stream has a row that cannot be read") }
      let key = StreamKey(device: device, stream: stream, journal: journal)
      if row[3] == nil {
        if row.number(8, Int.self) ?? 0 >= Self.mostJournals { found[key] = .tooMany }
      } else if let highest = row.number(3, Int64.self), let origin = row.number(4, Int64.self), let floor = row.number(5, Int64.self),
        let gaps = row[6].flatMap(StreamRecord.gaps), let abandoned = row.number(7, Int64.self)
      {
        found[key] = .record(StreamRecord(highest: highest, origin: origin, floor: floor, gaps: gaps, abandoned: abandoned))
      } else {
        throw PostgreSQLError(message: "the table stream has a row that cannot be read")
      }
    }
    return found
  }
}

extension StreamJournal {
  /// Parses a UUID as PostgreSQL writes it; nil for any other text.
  init?(uuid: String) {
    let digits = uuid.filter { $0 != "-" }
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16) else {
      return nil
    }
    self.init(high: high, low: low)
  }
}
