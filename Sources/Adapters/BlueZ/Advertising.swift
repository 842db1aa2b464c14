import BeaconAdvertising
import DBus
import EventLoop
import Instants

/// Sends one beacon until this object is released, by taking the steps of an `AdvertisingPlan`.
final class Advertising {
  let transmission: BeaconTransmission
  /// Runs after a change of `status`.
  var onChange: () -> Void = {}
  /// Receives the obstacle after each attempt that BlueZ refuses, even if the status does not change.
  var onRefusal: (AdvertisingObstacle) -> Void = { _ in }
  private(set) var status: AdvertisingStatus

  private let connection: DBusConnection
  private let tree: ObjectTree
  private let path: String
  private var plan: AdvertisingPlan
  /// The unique name of the bluetoothd that receives the requests.
  private var service: String?
  private var object: AdvertisementObject?
  private var random = SystemRandomNumberGenerator()
  private lazy var timer = connection.loop.timer { [unowned self] in advance() }

  /// - Parameter path: the path of the object, which was never used before on this connection.
  init(_ connection: DBusConnection, _ tree: ObjectTree, path: String, _ transmission: BeaconTransmission) {
    self.connection = connection
    self.tree = tree
    self.path = path
    self.transmission = transmission
    plan = AdvertisingPlan(address: transmission.adapter)
    status = AdvertisingStatus(transmission: transmission, state: .starting, since: connection.loop.now)
  }

  deinit {
    guard let service, let adapter = plan.asked else { return }
    connection.call(
      destination: service, path: adapter, interface: BlueZName.advertisingManager, member: "UnregisterAdvertisement", [.objectPath(path)]
    ) { _ in
      // The advertisement ends with the connection at the latest.
    }
  }

  func update(_ reachability: AdvertisingPlan.Reachability, service: String?) {
    if service != self.service {
      object = nil
      self.service = service
    }
    plan.update(reachability, at: connection.loop.now)
    advance()
  }

  private func advance() {
    let now = connection.loop.now
    if let step = plan.nextStep(at: now) { perform(step) }
    timer.arm(at: plan.deadline)
    let state = state(at: now)
    guard state != status.state else { return }
    status.state = state
    status.since = now
    onChange()
  }

  private func state(at now: Instant) -> AdvertisingStatus.State {
    if let sender = plan.sender {
      return .advertising(
        AdvertisingStatus.Sender(
          address: sender.facts.address, intervals: sender.intervals(of: transmission), notes: sender.notes(on: transmission)))
    }
    return plan.obstacle(at: now).map { .waiting($0) } ?? .starting
  }

  private func perform(_ step: AdvertisingPlan.Step) {
    guard let service else { return }
    switch step {
    case .register(let adapter):
      do {
        try export(for: service)
      } catch {
        connection.loop.enqueue { [weak self] in self?.receive(error, from: service) }
        return
      }
      call(service, adapter, "RegisterAdvertisement", [.objectPath(path), .options([])])
    case .unregister(let adapter): call(service, adapter, "UnregisterAdvertisement", [.objectPath(path)])
    }
  }

  private func export(for service: String) throws(DBusError) {
    guard object == nil else { return }
    object = try AdvertisementObject(tree, path: path, for: service, transmission) { [weak self] in
      guard let self else { return }
      plan.released(at: connection.loop.now, using: &random)
      advance()
    }
  }

  private func call(_ service: String, _ adapter: String, _ member: String, _ arguments: [DBusValue]) {
    // A hung controller fails a command after 2 s, and BlueZ needs several.
    connection.call(
      destination: service, path: adapter, interface: BlueZName.advertisingManager, member: member, arguments, timeout: .seconds(10)
    ) { [weak self] reply in
      switch reply {
      case .success: self?.receive(nil, from: service)
      case .failure(let error): self?.receive(error, from: service)
      }
    }
  }

  private func receive(_ error: DBusError?, from service: String) {
    guard service == self.service else { return }
    plan.answered(error, at: connection.loop.now, using: &random)
    advance()
    if error != nil, case .waiting(let obstacle) = status.state { onRefusal(obstacle) }
  }
}

/// The object that BlueZ reads to advertise for this program (org.bluez.LEAdvertisement(5)); only this bluetoothd sees it.
///
/// It is of type "broadcast": other devices cannot connect to it, and the kernel sends it from a random address.
private final class AdvertisementObject {
  let path: String
  private var object: ExportedObject?

  /// Exports the object at `path`, which may hold one at a time; releasing this value removes it.
  init(
    _ tree: ObjectTree, path: String, for service: String, _ transmission: BeaconTransmission, onRelease: @escaping () -> Void
  ) throws(DBusError) {
    self.path = path
    let release = DBusMethod("Release") { _ in
      onRelease()
      return []
    }
    let properties = Self.properties(of: transmission).map { name, value in
      DBusProperty(name, value.signature, change: .constant) { value }
    }
    object = try tree.export(
      path, [DBusInterface(BlueZName.advertisement, methods: [release], properties: properties)], for: .only(service))
  }

  private static func properties(of transmission: BeaconTransmission) -> [(name: String, value: DBusValue)] {
    let data = DBusValue.Entry(.uint16(transmission.beacon.company), .variant(.bytes(transmission.beacon.payload)))
    let interval = UInt32(clamping: transmission.interval.microseconds / 1000)
    var properties: [(name: String, value: DBusValue)] = [
      ("Type", .string("broadcast")),
      ("ManufacturerData", .dictionary(key: "q", value: "v", [data])),
      // BlueZ needs both or neither.
      ("MinInterval", .uint32(interval)),
      ("MaxInterval", .uint32(interval)),
    ]
    if let power = transmission.transmitPower { properties.append(("TxPower", .int16(Int16(power)))) }
    return properties
  }
}
