import Alerts
import FleetDatabase
import FleetMessages
import FleetStatus
import PostgreSQL
import Streams
import Testing

@testable import Ingest

/// The findings about devices in the view of the page, and in the status.
@Suite struct FindingsTests {
  private let connection: PostgreSQLConnection
  private let parameters: String

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
  }

  private func state() throws -> [String] {
    try connection.lines("select state, is_silent, findings from device_overview where name = 'door'")
  }

  private func hear(_ ago: String, lag: String = "0 s", returns: Int = 0) throws {
    try connection.run(
      script: """
        insert into device_state(device_id, received_at, device_time, journal_returns, returned)
        values (1, now() - interval '\(ago)', now() - interval '\(ago)' - interval '\(lag)', \(returns), (extract(epoch from now()) * 1000)::int8)
        on conflict (device_id) do update set received_at = excluded.received_at, device_time = excluded.device_time,
          journal_returns = excluded.journal_returns, returned = excluded.returned
        """)
  }

  @Test("a device without beacons is good between its reports, and silent a little later")
  func silence() throws {
    try hear("6 minutes")
    #expect(try state() == ["good\tf\t{}"])
    #expect(try StatusDatabase(connection).status().devices[0].isSilent == false)
    try hear("8 minutes")
    #expect(try state() == ["silent\tt\t{}"])
    #expect(try StatusDatabase(connection).status().devices[0].isSilent)
    #expect(try connection.lines("select extract(epoch from fleet_silence())::int8") == ["\(DeviceReport.longestSilence)"])
  }

  @Test("a device that is expected later is not silent, and a day after its time it is")
  func expected() throws {
    try connection.run(script: "update device set enrolled_at = now() - interval '9 days', expected_at = now() + interval '1 day'")
    #expect(try state() == ["new\tf\t{}"])
    try connection.run(script: "update device set expected_at = now() - interval '1 day'")
    #expect(try state() == ["new\tt\t{}"])
    try connection.run(script: "update device set revoked_at = now()")
    #expect(try state() == ["revoked\tf\t{}"])
  }

  @Test("a clone, a wrong clock and a full disk are problems of a device")
  func problems() throws {
    try hear("1 s", returns: Int(NumberingHistory.suspiciousReturns))
    #expect(try state() == ["problem\tf\t{cloned}"])
    try hear("1 s", lag: "2 days")
    #expect(try state() == ["problem\tf\t{clock-behind}"])
    #expect(try StatusDatabase(connection).status().devices[0].findings == ["clock-behind"])
    try hear("1 s", lag: "-3 minutes")
    #expect(try state() == ["problem\tf\t{clock-ahead}"])
    try hear("1 s")
    try connection.run(
      script: """
        insert into device_report(device_id, version, revision, free_space, dropped_digests, clock_synchronised, problems)
        values (1, '1', 0, 999999999, 0, true, '{}')
        """)
    #expect(try state() == ["problem\tf\t{disk-low}"])
  }

  @Test("each refusal within a day that has a remedy is a problem", arguments: Refusal.Reason.allCases)
  func refusals(_ reason: Refusal.Reason) throws {
    try connection.run(script: "insert into refusal(device_id, reason, messages, detail) values (1, '\(reason.rawValue)', 1, 'version 2')")
    #expect(try state() == [reason.remedy("") == nil ? "new\tf\t{}" : "problem\tf\t{\(reason.rawValue)}"])
    let recent = try StatusDatabase(connection).status().devices[0].recentRefusals
    #expect(recent == (reason.remedy("version 2").map { [reason.rawValue: $0] } ?? [:]))
    let seen = try AlertDatabase(try PostgreSQLConnection(parameters)).observe().devices[0].refusals
    #expect(seen == (reason.remedy("version 2").map { [$0] } ?? []))
    try hear("1 s")
    try connection.run(script: "update refusal set last_at = now() - interval '25 hours'")
    #expect(try state() == ["good\tf\t{}"])
  }

  @Test("a worker continues with the numbering of the newest report")
  func numbering() throws {
    let store = try IngestDatabase(try PostgreSQLConnection(parameters))
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    var numbering = NumberingHistory()
    numbering.note(report: StreamJournal(high: 1, low: 2), isKnown: false, at: 5)
    var batch = Batch()
    batch.epochs = [0: try store.acquire(queue: 0, worker: "test")]
    batch.devices = [1: DeviceRow(time: 5, numbering: numbering)]
    _ = try store.write(batch)
    #expect(try store.devices(at: [address])[address]?.numbering == numbering)
  }

  @Test("a device with late digests is late, also right after a report, until a minute has passed without one")
  func late() throws {
    let store = try IngestDatabase(try PostgreSQLConnection(parameters))
    let now = Int64(try connection.run(script: "select (extract(epoch from now()) * 1000)::int8").first ?? "") ?? 0
    let epoch = try store.acquire(queue: 0, worker: "test")
    func note(_ minutes: Int64) throws {
      var batch = Batch()
      (batch.epochs, batch.devices) = ([0: epoch], [1: DeviceRow(time: now - minutes * 60_000, numbering: NumberingHistory())])
      _ = try store.write(batch)
    }
    try note(1)
    #expect(try state() == ["good\tf\t{}"])
    try note(13)
    #expect(try state() == ["problem\tf\t{late}"])
    try note(0)
    #expect(try state() == ["problem\tf\t{late}"])
    #expect(try StatusDatabase(connection).status().table.contains("come minutes late"))
    try connection.run(script: "update device_state set late_at = late_at - interval '1 minute'")
    #expect(try state() == ["good\tf\t{}"])
  }

  @Test("the migrations of findings can be undone and applied again")
  func migration() throws {
    let schema = FleetSchema(connection)
    #expect(try schema.migrate(to: 18) == ["undo late messages", "undo report numberings", "undo findings"])
    #expect(try connection.lines("select state from device_overview") == ["new"])
    #expect(try schema.migrate(to: 21) == ["findings", "report numberings", "late messages"])
    #expect(try state() == ["new\tf\t{}"])
  }
}
