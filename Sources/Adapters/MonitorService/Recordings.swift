import BeaconAdvertising
import Beacons
import DBus
import EventLoop
import Instants
import MonitorProtocol
import Monitoring

/// The recordings of all clients. A recording ends with its socket or with its client's bus connection.
final class Recordings {
  /// Maximum number of recordings; each may buffer a quarter of a MiB for its reader.
  private static let most = 4

  private struct Active {
    var stop: (String) -> Void
    var presence: NameWatch?
  }

  private let connection: DBusConnection
  private unowned let monitoring: MonitoringService
  private unowned let recorder: any RecordingStarter
  private var active: [UInt64: Active] = [:]
  private var lastNumber: UInt64 = 0

  init(_ connection: DBusConnection, _ monitoring: MonitoringService, _ recorder: any RecordingStarter) {
    self.connection = connection
    self.monitoring = monitoring
    self.recorder = recorder
  }

  var method: DBusMethod {
    DBusMethod("StartRecording", in: [DBusArgument("socket", "h"), DBusArgument("options", "a{sv}")]) {
      [unowned self] call throws(DBusError) in
      try start(for: call.sender, to: try call.descriptor(0), try RecordingOptions(call.arguments[1]))
      return []
    }
  }

  private func start(for client: String, to socket: consuming FileDescriptor, _ options: RecordingOptions) throws(DBusError) {
    guard monitoring.source.hearsBeacons else {
      throw .monitor(
        .noBeaconSource, "this device does not scan for beacons, because source is \"none\" in beaconmon.toml")
    }
    guard active.count < Self.most else {
      throw .monitor(.limitsExceeded, "there are already \(Self.most) recordings; stop one")
    }
    lastNumber += 1
    let number = lastNumber
    guard monitoring.isClockKnown else {
      throw .monitor(.notHearing, "the source is not ready; call again when SourceState is \"scanning\"")
    }
    do throws(SystemCallError) {
      let stop = try recorder.startRecording(to: socket, options) { [weak self] in self?.active[number] = nil }
      active[number] = Active(stop: stop)
    } catch {
      throw .monitor(.invalidSocket, "\(error); pass one end of a Unix stream socket pair")
    }
    active[number]?.presence = connection.watchName(client) { [weak self] owner in
      if owner == nil { self?.active[number]?.stop("the client left the bus") }
    }
  }
}

/// Starts recordings of the advertisements that the source receives.
public protocol RecordingStarter: AnyObject {
  /// Records advertisements as a capture into one end of a Unix stream until the other end is closed.
  ///
  /// The recording never waits for its reader.
  ///
  /// - Parameter onEnd: called when the recording has ended, unless this throws.
  /// - Returns: a closure that ends the recording, given a human-readable reason.
  /// - Throws: an error for a descriptor that is not a Unix stream socket.
  func startRecording(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(SystemCallError) -> (String) -> Void
}
