import Geodesy
import Instants
import LocationArbitration
import Locations
import Positioning
import TestSupport
import Testing

/// Subscribers that end in the middle, as those without consent do.
@Suite struct SubscriberEndTests {
  private let scheduler = ManualScheduler()
  private let satellites = FakeSource.satellites
  private let lines = LogLines()

  private func service(_ sources: [FakeSource]) -> PositioningService {
    PositioningService(scheduler, sources, FakeClock(scheduler), nil, log: lines.logger)
  }

  /// The outputs of a service from now on.
  private final class Outputs {
    var all: [Locator.Output] = []
    var latitudes: [Double] {
      all.compactMap { if case .update(_, let location) = $0 { location.coordinate.latitude } else { nil } }
    }

    init(of service: PositioningService) { service.onOutput = { [unowned self] in all.append($0) } }

    func drain() -> [Locator.Output] {
      defer { all = [] }
      return all
    }
  }

  @Test func `a subscriber that ends in the middle of its search receives nothing more, and the other one continues`() throws {
    let service = service([satellites])
    let outputs = Outputs(of: service)
    service.listen(.client(1), LocationRequest(accuracy: .hundredMeters))
    service.search(.client(2), .best, timeout: .seconds(30))
    try satellites.fix(at: scheduler.now, accuracy: 20)
    _ = outputs.drain()
    // Consent is revoked.
    service.end(.client(2))
    #expect(satellites.started == .hundredMeters)
    scheduler.advance(by: .seconds(10))
    try satellites.fix(at: scheduler.now, latitude: 10, accuracy: 3)
    scheduler.advance(by: .seconds(60))
    #expect(Set(outputs.all.map(\.listener)) == [.client(1)])
    service.end(.client(1))
    _ = outputs.drain()
    #expect(satellites.started == nil)
    scheduler.advance(by: .seconds(3600))
    #expect(outputs.all.isEmpty && scheduler.nextDue == .never)
    // Consent is given again: nothing of the search is left.
    service.listen(.client(2), LocationRequest(accuracy: .best))
    try satellites.fix(at: scheduler.now, latitude: 20)
    #expect(outputs.latitudes == [20])
  }

  @Test func `a source that comes back after the last subscriber has ended stays off`() throws {
    let service = service([satellites])
    let outputs = Outputs(of: service)
    service.listen(.client(1), LocationRequest(accuracy: .best))
    satellites.report(.gone, "unplugged")
    scheduler.settle()
    _ = outputs.drain()
    service.end(.client(1))
    satellites.report(.starting)
    scheduler.advance(by: .seconds(600))
    #expect(satellites.started == nil && outputs.all.isEmpty && scheduler.nextDue == .never)
  }
}
