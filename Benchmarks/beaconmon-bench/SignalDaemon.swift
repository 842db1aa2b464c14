import BeaconAdvertising
import BlueZ
import DBus
import EventLoop
import Events
import Glibc
import Instants
import Proximity
import RadioHealth
import Ranging
import Regions

/// The daemon's path from bluetoothd's signals to events.
///
/// It uses the product's source, loop and engine, with a region for every UUID in range.
final class SignalDaemon {
  private let loop: Loop
  private let source: BlueZSource
  private let total: Int
  private var driver: EngineDriver
  private var enters = 0
  private var start = 0.0
  private lazy var wake = loop.timer { [unowned self] in step([]) }

  /// Prepares to read `total` reports from the owner of org.bluez on the bus at `address`.
  init(address: String, total: Int) throws {
    loop = try Loop()
    source = try BlueZSource(loop, bus: .explicit(address))
    self.total = total
    driver = EngineDriver(engine: ProximityEngine(settings: EngineSettings(watchesEveryUUID: true), at: loop.now))
  }

  /// Returns a line of JSON: the counts, and the processor time from the start of the discovery.
  func run() throws -> String {
    source.onSightings = { [unowned self] in step($0) }
    source.onHealthChange = { [unowned self] in if $0.state == .scanning { start = processorSeconds() } }
    source.demand = .strength
    _ = try loop.run()
    let counts = source.counts
    return """
      {"n":\(counts.reports),"accepted":\(counts.iBeacons),"beacons":\(driver.engine.beaconCount),"enters":\(enters),\
      "cpu_s":\(processorSeconds() - start)}
      """
  }

  private func step(_ sightings: [Sighting]) {
    for output in driver.step(sightings, through: loop.now) {
      if case .event(let event) = output, event.transition.kind == .enter { enters += 1 }
    }
    if source.counts.reports >= total { loop.stop() }
    let next = driver.nextWake
    if wake.due.map({ next < $0 }) ?? (next != .never) { wake.arm(at: next) }
  }
}
