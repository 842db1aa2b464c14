import EventLoop
import FleetDatabase
import PostgreSQL
import Testing

@Suite struct NoticeOrderTests {
  private let parameters: String
  private let connection: PostgreSQLConnection

  init() throws {
    parameters = try PrivateServer.fleet()
    connection = try PostgreSQLConnection(parameters)
    try connection.run(script: "insert into device(site_id, name) values (1, 'hall'), (1, 'shop')")
  }

  /// The statement by which a device offers its position to the device berlin.hall.
  private static func offer(_ id: Int, by device: Int) -> String {
    """
    select fleet_begin_share('00000000-0000-0000-0000-00000000000\(id)', 1, \(device), null, null, 'device:\(device)', 'lunch', interval '1 hour',
      array['device:hall'])
    """
  }

  @Test("of two changes at once, the notice of the later one has both")
  func bothChanges() throws {
    try connection.run(script: "begin; \(Self.offer(1, by: 1))")
    let text = parameters
    try LoopThread.start(named: "offer") {
      _ = try? PostgreSQLConnection(text).run(script: Self.offer(3, by: 3))
    }
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    var isWaiting = false
    for _ in 0..<200 where !isWaiting { isWaiting = try connection.lines("select pg_sleep(0.05); \(waiting)") == ["1"] }
    #expect(isWaiting)
    try connection.run(script: "commit")
    var shares: [String] = []
    for _ in 0..<200 where shares.count < 2 { shares = try connection.lines("select pg_sleep(0.05); select share_id from share") }
    let notice = "select convert_from(payload, 'UTF8')::jsonb from device_message where device_id = 2"
    #expect(try connection.lines("select jsonb_array_length(n -> 'offers') from (\(notice)) as m(n)") == ["2"])
  }
}
