/// A reference from the configuration to a file, program, user or device of the machine.
struct MachineReference: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    /// A btsnoop capture, or a recorded track of a receiver; "-" is standard input.
    case capture(String)
    case recordedTrack(String)
    /// A recording of heading sensors.
    case sensorRecording(String)
    case scenario(String)
    /// The file in which the daemon stores events.
    case journal(String)
    /// A program, by path or by a name in PATH.
    case program(String)
    case secretFile(String)
    /// A credential of a unit, systemd.exec(5).
    case credential(String)
    case certificates(String)
    case serialDevice(String)
    /// A user, or a group, by name or number.
    case user(String)
    case group(String)
    /// A picture or a recording, relative to the folder of the venue file.
    case venueFile(String)
    /// An app, by the id of its desktop file.
    case application(String)
    /// An app that the session bus can start, by its name there.
    case busService(String)
    /// A Unix socket that a service makes.
    case socket(String, of: ConfiguredService)
    /// A port of the loopback interface that a service listens on.
    case port(of: ConfiguredService)
  }

  let target: Target
  let line: SourceLine?
  /// The path to the key in words: `notifier action 1: command`.
  let place: String
}

/// The programs that read a configuration.
public enum ConfiguredService: String, CaseIterable, Sendable {
  case daemon = "beaconmond"
  case notifier = "beaconmon-notifier"
  case web = "beaconmon-web"
}

extension MachineReference {
  /// The service that needs the target.
  var service: ConfiguredService {
    switch target {
    case .capture, .recordedTrack, .sensorRecording, .scenario, .journal, .serialDevice, .user, .group, .venueFile, .application,
      .busService:
      .daemon
    case .program, .secretFile, .credential, .certificates: .notifier
    case .socket(_, let service), .port(let service): service
    }
  }
}
