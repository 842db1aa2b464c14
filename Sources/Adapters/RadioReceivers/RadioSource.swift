import BeaconAdvertising
import Beacons
import BlueZ
import DBus
import EventLoop
import HCI
import Instants
import RadioHealth
import Ranging

/// Receives advertisements with the adapters of this machine, on the clock of the event loop.
///
/// If configured and permitted, it receives packets from the kernel. While bluetoothd runs, bluetoothd is asked to scan; otherwise the
/// daemon makes the adapters scan passively. Without packets it receives reports of bluetoothd over D-Bus.
public final class RadioSource {
  /// The configured backend.
  public let backend: RadioBackend
  /// The chosen backend, never `.auto`.
  ///
  /// It does not change, because the capabilities of a program do not change while it runs.
  public let choice: RadioBackend
  /// Receives sightings in the order of their reception.
  public var onSightings: ([Sighting]) -> Void = { _ in }
  /// Receives every packet and the number of its adapter, before its sightings; `nil` while no recording needs them.
  public var onPacket: ((RawSpan, UInt16, Instant) -> Void)? {
    didSet { packets?.onPacket = onPacket }
  }
  public var onReport: ((AdvertisingReport, UInt16, Instant) -> Void)? {
    didSet { if packets == nil { bluetoothd.onReport = onReport } }
  }
  /// Runs after a change of `adapters`, `trouble` or `reason`.
  public var onChange: () -> Void = {}
  public internal(set) var roster: AdapterRoster

  let loop: Loop
  let bluetoothd: BlueZSource
  let packets: PacketRadio?
  /// Returns whether the kernel has any adapter, in case bluetoothd does not run.
  let isAnyAdapterPlugged: () -> Bool
  /// The reason why `.auto` did not choose `.hci`.
  let obstacle: HCIError?
  /// The required reception.
  public var demand = HearingDemand.nothing {
    didSet {
      guard demand != oldValue else { return }
      bluetoothd.demand = demand
      chooseScanner()
    }
  }
  private(set) var isStarted = false
  private var reported = Reported()
  private(set) var listing = AdapterListing()
  private lazy var listingTimer = loop.timer { [unowned self] in update() }

  private struct Reported: Equatable {
    var adapters: [AdapterHealth] = []
    var trouble: String?
    var reason: String?
  }

  /// Whether advice contains commands of systemctl, which is false for a daemon that is not a service.
  public var namesSystemctl = true

  /// Creates a source that finds bluetoothd on the system bus.
  ///
  /// - Throws: an error with commands that grant the capability, if packets are requested and it is missing.
  public convenience init(
    _ loop: Loop, _ backend: RadioBackend, adapters: [AdapterSettings] = [], environment: [String: String] = ChildCommand.ownEnvironment()
  ) throws(RadioError) {
    try self.init(loop, backend, adapters: adapters, bus: .system, environment: environment, port: .kernel(loop))
  }

  init(
    _ loop: Loop, _ backend: RadioBackend, adapters: [AdapterSettings], bus: BusAddress, environment: [String: String], port: PacketPort
  ) throws(RadioError) {
    self.loop = loop
    self.backend = backend
    roster = AdapterRoster(adapters)
    isAnyAdapterPlugged = port.isAnyAdapterPlugged
    (packets, obstacle) = try Self.packets(loop, backend, port)
    choice = packets == nil ? .bluez : .hci
    do throws(DBusError) {
      bluetoothd = try BlueZSource(loop, for: packets == nil ? .hearing : .scanning, bus: bus, environment: environment)
    } catch {
      throw .bus(error)
    }
    bluetoothd.numberOfAdapter = { [unowned self] in roster.number(of: $0) }
    bluetoothd.onSightings = { [unowned self] in onSightings($0) }
    bluetoothd.onHealthChange = { [unowned self] _ in update() }
    bluetoothd.onServiceChange = { [unowned self] _ in
      listing.changeService(isRunning: isBluetoothdRunning, at: loop.now)
      chooseScanner()
    }
    packets?.numberOfAdapter = { [unowned self] in roster.number(of: $0) }
    packets?.onSightings = { [unowned self] in onSightings($0) }
    packets?.onReports = { [unowned self] in bluetoothd.noteReports($0.count, of: $0.devices, by: $1) }
    packets?.onChange = { [unowned self] in update() }
    configure(adapters)
  }

  private static func packets(_ loop: Loop, _ backend: RadioBackend, _ port: PacketPort) throws(RadioError) -> (PacketRadio?, HCIError?) {
    guard backend != .bluez else { return (nil, nil) }
    do throws(HCIError) {
      return (try PacketRadio(loop, port), nil)
    } catch {
      guard backend == .auto else { throw .packets(error) }
      return (nil, error)
    }
  }

  public func start() {
    isStarted = true
    packets?.start()
    update()
  }

  /// Applies a new configuration of the adapters.
  public func configure(_ settings: [AdapterSettings]) {
    roster.configure(settings)
    let roster = roster
    bluetoothd.usesAdapter = { roster.isUsed($0) }
    packets?.usesAdapter = { roster.isUsed($0) }
    packets?.refresh()
    update()
  }

  /// Pauses the scan of an adapter for a moment, so that it can start to advertise; see `BlueZSource.yield`.
  public func yield(adapter address: BluetoothAddress) { bluetoothd.yield(adapter: address) }

  public var counts: AdvertisementCounts { packets?.counts ?? bluetoothd.counts }

  /// Returns the telemetry of beacons since the last call.
  public func takeTelemetry() -> [BeaconTelemetry] { packets?.takeTelemetry() ?? bluetoothd.takeTelemetry() }

  /// The used adapters by number: all that were ever present, and absent ones from the config.
  public var adapters: [AdapterHealth] {
    let reported = reported.adapters
    return currentAdapters().map { health in health.following(reported.first { $0.address == health.address }) }
  }

  /// Whether bluetoothd makes the adapters scan, as long as the bus has not reported that it does not run.
  var isLeftAlone: Bool {
    switch bluetoothd.service {
    case .absent, .unreachable(.some): true
    case .running, .unreachable(nil): false
    }
  }

  /// Whether the bus has reported that bluetoothd runs.
  var isBluetoothdRunning: Bool { bluetoothd.service == .running }

  private func chooseScanner() {
    packets?.scanThemselves = isLeftAlone && demand != .nothing
    update()
  }

  private func update() {
    guard isStarted else { return }
    listing.note(present: packets?.adapters.present ?? [], listed: Set(bluetoothd.adapters.present), at: loop.now)
    listingTimer.arm(at: listing.deadline(after: loop.now))
    let next = Reported(adapters: adapters, trouble: trouble, reason: reason)
    let changed =
      (next.trouble, next.reason, next.adapters.count) != (reported.trouble, reported.reason, reported.adapters.count)
      || zip(next.adapters, reported.adapters).contains { $0.address != $1.address || $0.isWorthReporting(after: $1) }
    guard changed else { return }
    reported = next
    onChange()
  }
}

extension [AdapterHealth] {
  fileprivate var present: [BluetoothAddress] { filter { $0.state != .gone }.map(\.address) }
}
