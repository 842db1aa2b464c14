import Headings
import Instants
import LocationArbitration
import Locations
import Orientation
import SensorSimulation
import TestSupport
import Testing

/// Clients that end in the middle, as those without consent do, while others continue.
@Suite struct HeadingConsentTests {
  private static let (first, second) = (HeadingService.Client.session(1), HeadingService.Client.session(2))

  @Test func `a client that ends during a calibration receives nothing more, and the other one gets its heading`() {
    let scene = HeadingScene()
    scene.service.listen(Self.first, HeadingRequest(filter: 0, followsTravel: true))
    scene.service.listen(Self.second, HeadingRequest(filter: 5))
    scene.run(10, tumbling: true)
    #expect(Set(scene.drain().map(\.client)) == [Self.first, Self.second])
    #expect(scene.source.isFast && scene.locations.requests.last == LocationRequest())
    scene.service.end(Self.first)
    // Nothing needs each sample or the course any more.
    #expect(scene.source.isOn && !scene.source.isFast && scene.locations.requests.last == .significantChanges)
    scene.calibrate()
    let outputs = scene.drain()
    #expect(outputs.allSatisfy { $0.client == Self.second })
    #expect(outputs.contains { if case .update(_, let update) = $0 { update.hasDirection } else { false } })
  }

  @Test func `the sources stop after the last client, and start again for a client with new consent`() {
    let scene = HeadingScene()
    scene.service.listen(Self.first, HeadingRequest(filter: 5))
    scene.run(10, tumbling: true)
    #expect(!scene.drain().isEmpty)
    scene.service.end(Self.first)
    #expect(!scene.source.isOn && scene.locations.requests.last == .some(nil) && scene.scheduler.nextDue == .never)
    // A sample that was measured before comes late.
    scene.source.onMeasurement(.field(scene.device.sample().field), scene.scheduler.now)
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.drain().isEmpty)
    scene.service.listen(Self.first, HeadingRequest(filter: 5))
    scene.run(10, tumbling: true)
    #expect(scene.source.isOn && scene.source.starts == 2 && Set(scene.drain().map(\.client)) == [Self.first])
  }

  @Test func `a source that comes back after the last client has ended stays off, and a new client has it at once`() {
    let scene = HeadingScene()
    scene.service.listen(Self.first, HeadingRequest())
    scene.run(1)
    scene.source.vanish()
    scene.scheduler.settle()
    #expect(scene.drain().contains { if case .failed(_, let failure) = $0 { failure.reason == .unavailable } else { false } })
    scene.service.end(Self.first)
    (scene.source.isPresent, scene.source.health) = (true, HeadingHealth(.off))
    scene.source.onHealthChange()
    scene.scheduler.advance(by: .seconds(600))
    #expect(!scene.source.isOn && scene.source.starts == 1 && scene.scheduler.nextDue == .never && scene.drain().isEmpty)
    scene.service.listen(Self.first, HeadingRequest())
    #expect(scene.source.isOn && scene.source.starts == 2 && scene.drain().isEmpty)
  }

  @Test func `a client that ends while it receives an output gets no further one`() {
    let scene = HeadingScene()
    var received: [HeadingService.Client] = []
    scene.service.onOutput = { [unowned scene] output in
      received.append(output.client)
      scene.service.end(output.client)
    }
    scene.service.listen(Self.first, HeadingRequest(filter: 0))
    scene.service.listen(Self.second, HeadingRequest(filter: 0))
    scene.run(10, tumbling: true)
    #expect(received.sorted() == [Self.first, Self.second] && !scene.source.isOn)
  }
}
