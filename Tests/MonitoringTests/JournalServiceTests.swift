import Events
import Instants
import Regions
import TestSupport
import Testing

@testable import Monitoring

@Suite struct JournalServiceTests {
  private let scheduler = ManualScheduler()
  private let store = FakeStore("journal")
  private let lines = LogLines()

  private func service() -> JournalService { JournalService(scheduler, store, heartbeat: { Heartbeat(time: $0) }, log: lines.logger) }

  @Test func `a file that fails is retried at the time that the store requests, and each change is reported once`() {
    store.fail(retryAt: scheduler.now + .seconds(60))
    let service = service()
    var changes: [Bool] = []
    service.onChange = { [unowned service] in changes.append(service.isDurable) }
    scheduler.advance(by: .seconds(59))
    store.repair()
    #expect(!service.isDurable && changes.isEmpty)
    scheduler.advance(by: .seconds(1))
    service.retry()
    #expect(changes == [true])
    #expect(lines.all == ["disk I/O error", "the journal can be written again"])
  }

  @Test func `the outage is the time since the last heartbeat`() {
    let service = service()
    #expect(service.savedRegions(at: .at(5)) == nil)
    service.save([], at: .at(10))
    #expect(service.savedRegions(at: .at(17))?.outage == .seconds(7))
    // The clock went backward.
    #expect(service.savedRegions(at: .at(3))?.outage == nil)
  }

  @Test func `a closed journal is not retried`() {
    store.fail(retryAt: scheduler.now + .seconds(60))
    let service = service()
    service.close()
    store.repair()
    scheduler.advance(by: .seconds(120))
    #expect(!service.isDurable && store.isClosed)
  }
}
