import FleetDatabase
import Ingest
import PostgreSQL
import Testing

@Suite struct VisitTests {
  private let connection: PostgreSQLConnection
  private let store: IngestDatabase
  private let epoch: Int64

  init() throws {
    let parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    store = try IngestDatabase(try PostgreSQLConnection(parameters))
    epoch = try store.acquire(queue: 0, worker: "test")
  }

  private func write(_ changes: RoomChangeRow...) throws {
    var batch = Batch()
    batch.epochs = [0: epoch]
    batch.roomChanges = changes
    _ = try store.write(batch)
  }

  /// A change at 14:30:00 and this number of seconds on 2026-11-27.
  private func change(_ from: String?, _ to: String?, at seconds: Int64, since: Int64?) -> RoomChangeRow {
    let start: Int64 = 1_795_789_800_000
    return RoomChangeRow(
      beacon: 1, from: from, to: to, time: start + seconds * 1000, since: since.map { start + $0 * 1000 }, reason: "{}")
  }

  @Test("each stay in a room becomes one visit with its length to 5 minutes, under one pseudonym")
  func visits() throws {
    try write(
      change(nil, "hall", at: 0, since: nil), change("hall", "shop", at: 740, since: 0), change("shop", nil, at: 5400, since: 740))
    #expect(
      try connection.lines("select room, begun_at at time zone 'utc', seconds, site_id from visit order by seconds")
        == ["hall\t2026-11-27 14:00:00\t600\t1", "shop\t2026-11-27 14:00:00\t4800\t1"])
    #expect(try connection.lines("select count(distinct pseudonym), min(length(pseudonym)) from visit") == ["1\t16"])
    #expect(try connection.lines("select count(*) from room_change") == ["3"])
  }

  @Test("a tag has another pseudonym under the next key")
  func rotation() throws {
    try write(change("hall", nil, at: 60, since: 0))
    try connection.run(script: "update visit_key set period = '2026-01-01Z'; select fleet_forget_keys()")
    try write(change("hall", nil, at: 60, since: 0))
    #expect(try connection.lines("select count(distinct pseudonym) from visit") == ["2"])
  }

  @Test("the key of visits is in no write-ahead log")
  func unlogged() throws {
    #expect(try connection.lines("select relpersistence from pg_class where relname = 'visit_key'") == ["u"])
  }

  @Test("a pseudonym is HMAC-SHA-256 (RFC 4231, test cases 1 and 2)")
  func hmac() throws {
    func pads(_ key: [UInt8]) -> String {
      let block = key + [UInt8](repeating: 0, count: 64 - key.count)
      return [0x36, 0x5C].map { pad in
        "'\\x" + block.map { ($0 ^ pad < 16 ? "0" : "") + String($0 ^ pad, radix: 16) }.joined() + "'"
      }.joined(separator: ", ")
    }
    #expect(
      try connection.lines("select fleet_hmac(\(pads([UInt8](repeating: 0x0B, count: 20))), 'Hi There')")
        == ["\\xb0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"])
    #expect(
      try connection.lines("select fleet_hmac(\(pads(Array("Jefe".utf8))), 'what do ya want for nothing?')")
        == ["\\x5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"])
    #expect(
      try connection.lines(
        """
        select every(get_byte(inner_pad, i) # get_byte(outer_pad, i) = 106), count(*) from fleet_make_pads(), generate_series(0, 63) i
        """) == ["t\t64"])
  }
}
