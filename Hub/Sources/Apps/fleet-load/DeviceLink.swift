import CLibmosquitto
import EventLoop
import FleetMessages
import FleetSimulation
import Glibc
import Instants

/// The connection of a simulated device.
final class DeviceLink {
  private(set) var device: SimulatedDevice
  private(set) var schedule: ConnectionSchedule
  private let brokers: [(host: String, port: Int32)]
  private let certificates: String
  private var client: OpaquePointer?
  /// The messages of this connection that the broker has not acknowledged, by the identifier of MQTT.
  private var published: [Int32: (stream: FleetMessage.Stream, sequence: Int64)] = [:]
  private var acknowledged: [FleetMessage] = []

  init(_ device: SimulatedDevice, _ schedule: ConnectionSchedule, brokers: [(host: String, port: Int32)], certificates: String) {
    (self.device, self.schedule, self.brokers, self.certificates) = (device, schedule, brokers, certificates)
  }

  deinit { if let client { mosquitto_destroy(client) } }

  var socket: Int32 { client.map { mosquitto_socket($0) } ?? -1 }
  var wantsToWrite: Bool { client.map { mosquitto_want_write($0) } ?? false }

  /// The port of the present node.
  var port: Int32 { brokers[schedule.node % brokers.count].port }

  /// Takes the messages that were acknowledged since the last call.
  func takeAcknowledged() -> [FleetMessage] {
    defer { acknowledged.removeAll(keepingCapacity: true) }
    return acknowledged
  }

  // MARK: Messages

  /// Publishes what is due.
  func publishDue(at now: Instant, wallTime: Int64) {
    let made = device.makeDue(at: now, wallTime: wallTime)
    if schedule.isUp { made.forEach(publish) }
  }

  private func publish(_ message: FleetMessage) {
    let octets = message.octets
    var identifier: Int32 = -1
    mosquitto_publish(client, &identifier, device.address.topic, Int32(octets.count), octets, 1, false)
    published[identifier] = (message.stream, message.sequence)
  }

  private func confirmed(_ identifier: Int32) {
    guard let key = published.removeValue(forKey: identifier), let message = device.acknowledge(key.stream, key.sequence) else { return }
    acknowledged.append(message)
  }

  // MARK: Connection

  /// Cuts the connection, and connects again later.
  func cut(at now: Instant, for pause: Span) {
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    schedule.cut(at: now, for: pause)
  }

  /// Connects if it is time to.
  func connectIfDue(at now: Instant) {
    var random = SystemRandomNumberGenerator()
    guard schedule.takeAttempt(at: now, using: &random) else { return }
    if let client { mosquitto_destroy(client) }
    published.removeAll(keepingCapacity: true)
    let name = device.address.commonName
    client = mosquitto_new(name, true, Unmanaged.passUnretained(self).toOpaque())
    let files = "\(certificates)/\(name)"
    mosquitto_tls_set(client, "\(certificates)/ca.crt", nil, "\(files).crt", "\(files).key", nil)
    mosquitto_max_inflight_messages_set(client, 0)
    mosquitto_connect_callback_set(client) { _, context, code in DeviceLink.at(context)?.connected(code) }
    mosquitto_disconnect_callback_set(client) { _, context, _ in DeviceLink.at(context)?.schedule.noteEnd() }
    mosquitto_publish_callback_set(client) { _, context, identifier in DeviceLink.at(context)?.confirmed(identifier) }
    if mosquitto_connect(client, brokers[schedule.node % brokers.count].host, port, 30) != 0 { schedule.noteEnd() }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> DeviceLink? {
    context.map { Unmanaged<DeviceLink>.fromOpaque($0).takeUnretainedValue() }
  }

  private func connected(_ code: Int32) {
    guard code == 0 else { return schedule.noteEnd() }
    schedule.noteAccepted()
    device.makeConnected(wallTime: WallClock.now.microseconds / 1000).forEach(publish)
  }

  /// Reads and writes, and sends a keep-alive if it is due.
  func process(_ events: Int16, checksKeepAlive: Bool) {
    guard let client, socket >= 0 else { return }
    var status: Int32 = 0
    if Int32(events) & (POLLIN | POLLHUP | POLLERR) != 0 { status = mosquitto_loop_read(client, 100) }
    if status == 0, mosquitto_want_write(client) { status = mosquitto_loop_write(client, 1) }
    if status == 0, checksKeepAlive { status = mosquitto_loop_misc(client) }
    if status != 0 { schedule.noteEnd() }
  }
}
