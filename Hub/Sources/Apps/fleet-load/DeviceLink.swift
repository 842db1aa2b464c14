import Beacons
import CLibmosquitto
import FleetMessages
import Glibc
import ProgramVersion

/// A device with its connection, its numberings, and the messages that are not acknowledged.
final class SimulatedDevice {
  private static let uuid = BeaconUUID(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)
  /// The largest number of messages that wait. Older digests are dropped beyond it.
  private static let mostWaiting = 20_000
  /// The digests of a backlog that a device sends in a second, and the maximum number of messages that wait meanwhile.
  /// `DigestBacklog` of the notifier has the same.
  private static let (backlogRate, window) = (20.0, 8)

  let address: FleetAddress
  private let index: Int
  private let brokers: [(host: String, port: Int32)]
  private let certificates: String
  private let period: Double
  private let hasBacklog: Bool
  /// The digests that the device may send at the moment `allowedAt`.
  private var (allowance, allowedAt) = (SimulatedDevice.backlogRate, 0.0)
  private var node: Int
  private var client: OpaquePointer?
  private(set) var isUp = false
  private var isDead = true
  private var connectedAt = 0.0
  private var retryAt: Double
  private var nextDigest: Double
  private var numbers: [FleetMessage.Stream: Int64] = [:]
  private let journals = StreamJournal(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  private(set) var waiting: [(message: FleetMessage, identifier: Int32)] = []
  private(set) var acknowledged: [FleetMessage] = []
  private(set) var counts = (sent: 0, repeated: 0, dropped: 0, connections: 0)

  init(
    _ address: FleetAddress, index: Int, brokers: [(host: String, port: Int32)], certificates: String, period: Double, phase: Double,
    backlog: Double
  ) {
    (self.address, self.index, self.brokers, self.certificates, self.period) = (address, index, brokers, certificates, period)
    (node, retryAt, nextDigest, hasBacklog) = (index, phase, phase - backlog, backlog > 0)
  }

  deinit { if let client { mosquitto_destroy(client) } }

  var socket: Int32 { client.map { mosquitto_socket($0) } ?? -1 }
  var wantsToWrite: Bool { client.map { mosquitto_want_write($0) } ?? false }

  /// The port of the present node.
  var port: Int32 { brokers[node % brokers.count].port }

  /// Takes the messages that were acknowledged since the last call.
  func takeAcknowledged() -> [FleetMessage] {
    defer { acknowledged.removeAll(keepingCapacity: true) }
    return acknowledged
  }

  // MARK: Messages

  /// Publishes what is due. `now` is in seconds since the first message of the run was due.
  func publishIfDue(_ now: Double, wall: Int64) {
    while nextDigest <= now {
      guard !hasBacklog || takeAllowance(now) else { return }
      let wall = wall - Int64((now - nextDigest) * 1000)
      nextDigest += period
      let number = numbers[.digests, default: 0]
      send(.digest(digest(number)), time: wall)
      if number % 5 == 4 { send(.event(json: "{\"event\":\"enter\",\"region\":\"r\(index)\",\"sequence\":\(number)}"), time: wall) }
    }
  }

  /// Returns whether a device with a backlog may send another digest, as `SendingAllowance` of the notifier decides.
  private func takeAllowance(_ now: Double) -> Bool {
    allowance = min(allowance + (now - allowedAt) * (Self.backlogRate + 1 / period), Self.backlogRate)
    allowedAt = now
    guard allowance >= 1, waiting.count < Self.window else { return false }
    allowance -= 1
    return true
  }

  private func digest(_ number: Int64) -> [FleetSighting] {
    let start = index * 15 % 200
    return (0..<20).map { place in
      let beacon = (start + (Int(number) * 7 + place) % 30) % 200
      let noise = (Int(number) * 31 + place * 17) % 5
      return FleetSighting(
        beacon: BeaconIdentity(uuid: Self.uuid, major: 1, minor: UInt16(beacon)), level: -50 - (index * 7 + beacon * 13) % 40 - noise,
        distance: 100 + beacon, rate: 100, age: place * 10)
    }
  }

  private func send(_ body: FleetMessage.Body, time: Int64) {
    var message = FleetMessage(journal: journals, sequence: 0, floor: 0, time: time, body: body)
    message.sequence = numbers[message.stream, default: 0] + 1
    numbers[message.stream] = message.sequence
    if waiting.count >= Self.mostWaiting, let oldest = waiting.firstIndex(where: { $0.message.stream != .events }) {
      waiting.remove(at: oldest)
      counts.dropped += 1
    }
    waiting.append((message, -1))
    counts.sent += 1
    if isUp { publish(waiting.count - 1) }
  }

  private func publish(_ place: Int) {
    var message = waiting[place].message
    message.floor = waiting.first { $0.message.stream == message.stream }?.message.sequence ?? message.sequence
    let octets = message.octets
    mosquitto_publish(client, &waiting[place].identifier, address.topic, Int32(octets.count), octets, 1, false)
  }

  // MARK: Connection

  /// Cuts the connection, and connects again later.
  func cut(_ now: Double, for pause: Double) {
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    (isDead, isUp, retryAt) = (true, false, now + pause)
  }

  /// Connects if it is time to.
  func connectIfDue(_ now: Double) {
    if !isDead, !isUp, now - connectedAt > 15 { isDead = true }
    guard isDead else { return }
    if isUp { (isUp, retryAt) = (false, now + .random(in: 0.1...0.5)) }
    guard now >= retryAt else { return }
    (node, retryAt, connectedAt, isDead) = (node + 1, now + .random(in: 0.5...1.5), now, false)
    counts.connections += 1
    if let client { mosquitto_destroy(client) }
    client = mosquitto_new(address.commonName, true, Unmanaged.passUnretained(self).toOpaque())
    let files = "\(certificates)/\(address.commonName)"
    mosquitto_tls_set(client, "\(certificates)/ca.crt", nil, "\(files).crt", "\(files).key", nil)
    mosquitto_max_inflight_messages_set(client, 0)
    mosquitto_connect_callback_set(client) { _, context, code in SimulatedDevice.at(context)?.connected(code) }
    mosquitto_disconnect_callback_set(client) { _, context, _ in SimulatedDevice.at(context)?.isDead = true }
    mosquitto_publish_callback_set(client) { _, context, identifier in SimulatedDevice.at(context)?.confirmed(identifier) }
    if mosquitto_connect(client, brokers[node % brokers.count].host, port, 30) != 0 { isDead = true }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> SimulatedDevice? {
    context.map { Unmanaged<SimulatedDevice>.fromOpaque($0).takeUnretainedValue() }
  }

  private func connected(_ code: Int32) {
    guard code == 0 else { return isDead = true }
    isUp = true
    counts.repeated += waiting.count
    for place in waiting.indices { publish(place) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let report = DeviceReport(version: ProgramVersion.current, freeSpace: 1 << 30, isClockSynchronised: true)
    send(.report(report), time: Int64(time.tv_sec) * 1000)
  }

  private func confirmed(_ identifier: Int32) {
    guard let place = waiting.firstIndex(where: { $0.identifier == identifier }) else { return }
    acknowledged.append(waiting.remove(at: place).message)
  }

  /// Reads and writes, and sends a keep-alive if it is due.
  func process(_ events: Int16, checksKeepAlive: Bool) {
    guard let client, socket >= 0 else { return }
    var status: Int32 = 0
    if Int32(events) & (POLLIN | POLLHUP | POLLERR) != 0 { status = mosquitto_loop_read(client, 100) }
    if status == 0, mosquitto_want_write(client) { status = mosquitto_loop_write(client, 1) }
    if status == 0, checksKeepAlive { status = mosquitto_loop_misc(client) }
    if status != 0 { isDead = true }
  }
}
