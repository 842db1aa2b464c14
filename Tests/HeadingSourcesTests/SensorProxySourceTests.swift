import DBus
import EventLoop
import Instants
import Locations
import Orientation
import Records
import TestSupport
import Testing

@testable import HeadingSources

/// A compass on the bus in the form of iio-sensor-proxy.
private final class FakeSensorProxy {
  let connection: DBusConnection
  /// The properties; nil for an error.
  var degrees: Double? = -1.0
  var hasCompass: Bool?
  private(set) var claims = 0
  private(set) var releases = 0
  private let tree: ObjectTree
  private var object: ExportedObject?
  private var name: OwnedName?

  init(_ loop: Loop, _ bus: PrivateBus, hasCompass: Bool? = true) throws {
    self.hasCompass = hasCompass
    connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    tree = ObjectTree(connection: connection)
    object = try tree.export(
      SensorProxySource.path,
      [
        DBusInterface(
          SensorProxySource.interface,
          methods: [
            DBusMethod("ClaimCompass") { [unowned self] _ in
              claims += 1
              return []
            },
            DBusMethod("ReleaseCompass") { [unowned self] _ in
              releases += 1
              return []
            },
          ],
          properties: [
            DBusProperty("HasCompass", "b") { [unowned self] in self.hasCompass.map { .boolean($0) } },
            DBusProperty("CompassHeading", "d") { [unowned self] in degrees.map { .double($0) } },
          ])
      ])
    var isOwned = false
    name = connection.requestName(SensorProxySource.service) { state in if case .owned = state { isOwned = true } }
    try loop.wait { isOwned }
  }

  deinit {
    connection.onStateChange = { _ in }
    connection.close()
  }
}

@Suite struct SensorProxySourceTests {
  private let loop: Loop
  private let bus: PrivateBus
  private let source: SensorProxySource
  private let connection: DBusConnection

  init() throws {
    loop = try Loop()
    bus = try PrivateBus()
    connection = try DBusConnection(loop: loop, address: .explicit(bus.address))
    source = SensorProxySource(loop, connection)
  }

  @Test func `a compass is claimed while the source is on, and its magnetic heading is delivered even at rest`() throws {
    let proxy = try FakeSensorProxy(loop, bus)
    try loop.wait { source.isPresent }
    #expect(proxy.claims == 0)
    var headings: [HeadingMeasurement] = []
    source.onMeasurement = { measurement, _ in headings.append(measurement) }
    source.start()
    try loop.wait { source.counts.refused.entries.map(\.name) == ["field"] }
    // -1 is not a heading.
    #expect(headings == [.noHeading] && source.health.state == .starting)
    headings = []
    proxy.degrees = 90.5
    try loop.wait { headings.count { $0 != .noHeading } == 2 }
    headings.removeAll { $0 == .noHeading }
    #expect(headings[0] == HeadingReading(magneticHeading: 90.5).map { .heading($0) } && source.health == HeadingHealth(.measuring))
    proxy.degrees = -1
    try loop.wait { headings.last == .noHeading }
    source.stop()
    try loop.wait { proxy.releases == 1 }
    #expect(proxy.claims == 1)
  }

  @Test func `a service without a compass is not a source until it has one`() throws {
    var proxy: FakeSensorProxy? = try FakeSensorProxy(loop, bus, hasCompass: false)
    // The answer of the service, which owns its name, comes in the next turns of the loop.
    try loop.run(for: .milliseconds(200))
    #expect(!source.isPresent)
    source.start()
    #expect(source.health.state == .gone && proxy?.claims == 0)
    source.stop()
    proxy = nil
    proxy = try FakeSensorProxy(loop, bus)
    try loop.wait { source.isPresent }
    #expect(source.health == HeadingHealth(.off))
  }

  @Test func `the end of the service is a loss, and its return is noticed`() throws {
    var proxy: FakeSensorProxy? = try FakeSensorProxy(loop, bus)
    proxy?.degrees = 10
    try loop.wait { source.isPresent }
    source.start()
    try loop.wait { source.health.state == .measuring }
    proxy = nil
    try loop.wait { source.health == HeadingHealth(.gone, "iio-sensor-proxy has stopped") }
    #expect(!source.isPresent)
    source.stop()
    proxy = try FakeSensorProxy(loop, bus)
    try loop.wait { source.isPresent }
    #expect(proxy != nil)
  }

  @Test func `a service that does not answer at first is asked again`() throws {
    let proxy = try FakeSensorProxy(loop, bus, hasCompass: nil)
    // The answer of the service, which owns its name, comes in the next turns of the loop.
    try loop.run(for: .milliseconds(200))
    proxy.hasCompass = true
    try loop.wait { source.isPresent }
  }

  @Test func `a compass whose heading cannot be read is released`() throws {
    let proxy = try FakeSensorProxy(loop, bus)
    try loop.wait { source.isPresent }
    proxy.degrees = nil
    source.start()
    try loop.wait { source.health.state == .failing && proxy.releases == 1 }
    #expect(proxy.claims == 1)
    source.stop()
    proxy.degrees = 90
    source.start()
    try loop.wait { source.health.state == .measuring }
    #expect(proxy.claims == 2 && proxy.releases == 1)
    source.stop()
  }

  @Test func `a compass that the bus reserves to GeoClue is explained, and not asked for again at once`() throws {
    let policies = """
      <policy context="default">
        <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
        <deny send_destination="net.hadess.SensorProxy" send_interface="net.hadess.SensorProxy.Compass"/>
      </policy>
      """
    let bus = try PrivateBus(policies: policies)
    let source = SensorProxySource(loop, try DBusConnection(loop: loop, address: .explicit(bus.address)))
    let proxy = try FakeSensorProxy(loop, bus)
    try loop.wait { source.isPresent }
    source.start()
    try loop.wait { source.health.state == .failing }
    #expect(source.health.note?.hasPrefix("the bus reserves the compass of iio-sensor-proxy to GeoClue; permit it") == true)
    #expect(!source.isPresent && proxy.claims == 0)
  }
}
