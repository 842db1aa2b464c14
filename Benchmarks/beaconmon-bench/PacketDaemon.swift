import BeaconAdvertising
import EventLoop
import Events
import Glibc
import HCI
import Instants
import Proximity
import Regions

/// The daemon's path from an HCI socket to events.
///
/// It uses the product's source, loop and engine, with a region for every UUID in range.
final class PacketDaemon {
  private let loop: Loop
  private let source: HCISource
  private var driver: EngineDriver
  private var enters = 0
  private lazy var end = loop.timer { [loop] in loop.stop() }
  private lazy var wake = loop.timer { [unowned self] in step([]) }

  /// Prepares to read the packets of a SOCK_SEQPACKET socket to their end.
  init(descriptor: CInt) throws {
    loop = try Loop()
    source = try HCISource(loop, packets: FileDescriptor(owning: descriptor), name: "descriptor \(descriptor)")
    driver = EngineDriver(engine: ProximityEngine(settings: EngineSettings(watchesEveryUUID: true), at: loop.now))
  }

  /// Prepares to scan with an adapter for `span`.
  init(adapter name: String, scans: Bool, for span: Span) throws {
    loop = try Loop()
    guard let adapter = try HCIAdapter.all().first(where: { $0.name == name }) else { throw HCIError.noAdapter(name) }
    source = try HCISource(loop, adapter: adapter)
    driver = EngineDriver(engine: ProximityEngine(settings: EngineSettings(watchesEveryUUID: true), at: loop.now))
    end.arm(after: span)
    if scans { source.scan() }
  }

  /// Returns a line of JSON after the last packet.
  func run() throws -> String {
    source.onSightings = { [unowned self] in step($0) }
    source.onStateChange = { [loop] state in
      switch state {
      case .gone(.ended): loop.stop()
      case .gone(let error), .scanFailed(let error): fail("\(error)", code: EX_UNAVAILABLE)
      case .listening, .startingScan, .scanning: break
      }
    }
    _ = try loop.run()
    let counts = source.counts
    return """
      {"n":\(counts.packets),"accepted":\(counts.iBeacons),"beacons":\(driver.engine.beaconCount),"enters":\(enters)}
      """
  }

  private func step(_ sightings: [Sighting]) {
    for output in driver.step(sightings, through: loop.now) {
      if case .event(let event) = output, event.transition.kind == .enter { enters += 1 }
    }
    let next = driver.nextWake
    if wake.due.map({ next < $0 }) ?? (next != .never) { wake.arm(at: next) }
  }
}
