import EventLoop
import Glibc
import Instants
import Monitoring
import Regions
import TestSupport
import Testing

@testable import Journal

@Suite struct JournalStorageTests {
  private static let retention = Retention(age: .seconds(86_400), size: 64 << 20)

  @Test func `the journal of a user is beside that of the config and has at most 4 MiB`() {
    let storage = JournalStorage(path: "/var/lib/beaconmon/journal.db", Self.retention, isLive: true)
    #expect(storage.folder == "/var/lib/beaconmon")
    let user = storage.ofUser(1000)
    #expect(user.path == "/var/lib/beaconmon/registered-1000.db")
    #expect(user.retention == Retention(age: .seconds(86_400), size: 4 << 20))
    let small = JournalStorage(path: "/journal.db", Retention(age: .seconds(60), size: 1 << 20), isLive: true)
    #expect(small.ofUser(7).path == "/registered-7.db" && small.ofUser(7).retention.size == 1 << 20)
  }

  @Test func `a journal in memory has no folder, and neither does that of a user`() {
    let storage = JournalStorage(path: nil, Self.retention, isLive: false)
    #expect(storage.folder == nil && storage.ofUser(1000).path == nil)
  }

  @Test func `a live source is timed by this machine's clocks, and a capture by its own alone`() throws {
    let loop = try Loop()
    let time = Instant(microseconds: 1_600_000_000_000_000)
    let capture = JournalStorage(path: nil, Self.retention, isLive: false).heartbeat(time, loop)
    #expect(capture.time == time && capture.boot == nil && capture.uptime == .zero)
    let live = JournalStorage(path: nil, Self.retention, isLive: true).heartbeat(time, loop)
    #expect(live.time > time && live.boot == BootClock.boot && live.uptime > .zero)
  }

  @Test func `a folder that cannot be created at the start is created when the file is retried`() throws {
    let (loop, folder, lines) = (try Loop(), try TemporaryDirectory(), LogLines())
    let parent = folder.file("state")
    try #require(close(creat(parent, 0o600)) == 0)
    let path = "\(parent)/beaconmon/journal.db"
    let own = JournalStorage(path: path, Self.retention, isLive: true, makesFolder: true).open(loop, log: lines.logger)
    let other = JournalStorage(path: path, Self.retention, isLive: true).open(loop, log: lines.logger)
    #expect(!own.isDurable && !other.isDurable)
    try #require(unlink(parent) == 0)
    other.retry()
    #expect(!other.isDurable)
    own.retry()
    #expect(own.isDurable && lines.all.last == "the journal can be written again")
  }

  @Test func `an opened journal with a path is durable, and one without is not`() throws {
    let (loop, folder, lines) = (try Loop(), try TemporaryDirectory(), LogLines())
    #expect(JournalStorage(path: folder.file("journal.db"), Self.retention, isLive: true).open(loop, log: lines.logger).isDurable)
    #expect(!JournalStorage(path: nil, Self.retention, isLive: true).open(loop, log: lines.logger).isDurable)
  }
}
