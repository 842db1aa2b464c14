import FleetStatus
import Testing

@Suite struct OutageTests {
  private var status: FleetStatus {
    var queue = FleetStatus.Queue(number: 0, worker: nil, isOwned: false, backlog: 3)
    queue.newest = 90
    return FleetStatus(devices: [], queues: [queue], unattributed: [:], databaseSize: 0)
  }

  @Test("the end of the table names a full disk, since when, and what to do, in 80 columns")
  func text() {
    var status = status
    #expect(!status.table.contains("disk") && status.json.contains(#""outages":[],"#))
    status.outages = [
      FleetStatus.Outage(part: .database, cause: "disk", since: 200),
      FleetStatus.Outage(part: .broker, cause: "memory & disk", since: 7200),
    ]
    let table = status.table
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(
      table.hasSuffix(
        """


        the broker has taken no messages for 2h, because a node is low on memory &
        disk: devices keep their messages; free memory & disk at the nodes, and devices
        continue

        the disk of the database has been full for 3m: nothing is stored, and messages
        wait at the broker; free space on that disk or make it larger, and workers
        continue

        """))
    let json = #"{"part":"database","cause":"disk","since":200,"ended":null,"text":"the disk of the database has been full"#
    #expect(status.json.contains(json))
  }

  @Test("an outage of a fleet that never had a message has no begin")
  func begin() {
    #expect(FleetStatus.Outage(part: .database, cause: "disk", since: nil).text.hasPrefix("the disk of the database is full: nothing"))
    #expect(FleetStatus.Outage(part: .broker, cause: "disk", since: nil).text.hasPrefix("the broker takes no messages, because"))
  }

  @Test("an outage that has ended is shown with its length")
  func ended() {
    var status = status
    status.outages = [
      FleetStatus.Outage(part: .database, cause: "disk", since: 300, ended: 120),
      FleetStatus.Outage(part: .broker, cause: "disk", since: 50, ended: 5),
    ]
    #expect(status.table.contains("\nthe disk of the database was full for 3m, until 2m ago\n"))
    #expect(status.table.contains("\nthe broker took no messages for 45s, because a node was low on disk, until 5s\nago\n"))
  }

  @Test("a full disk that no worker has noted lasts since the newest message")
  func observed() {
    var status = status
    status.observe(.database, cause: nil)
    #expect(status.outages.isEmpty && !status.hasWorker)
    status.outages = [FleetStatus.Outage(part: .database, cause: "disk", since: 9000, ended: 8000)]
    status.observe(.database, cause: "disk")
    #expect(status.outages == [FleetStatus.Outage(part: .database, cause: "disk", since: 90)])
    status.observe(.database, cause: "disk")
    #expect(status.outages == [FleetStatus.Outage(part: .database, cause: "disk", since: 90)])
  }

  @Test("the present state of a server takes precedence over the notes of workers")
  func precedence() {
    var status = status
    status.outages = [FleetStatus.Outage(part: .broker, cause: "disk", since: 30)]
    status.observe(.broker, cause: "memory")
    #expect(status.outages == [FleetStatus.Outage(part: .broker, cause: "memory", since: 30)])
    status.observe(.broker, cause: nil)
    #expect(status.outages == [FleetStatus.Outage(part: .broker, cause: "memory", since: 30, ended: 0)])
  }

  @Test("a server that does not answer has a remedy only if the disk of its folder is full")
  func serverFolder() {
    let path = "/var/lib/postgresql"
    #expect(ServerFolder(path, free: nil).remedy == nil && ServerFolder(path, free: 32 << 20).remedy == nil)
    #expect(
      ServerFolder(path, free: 3_000_000).remedy
        == "its disk is full: /var/lib/postgresql has 3MB free; free space there, and start the server again")
  }
}
