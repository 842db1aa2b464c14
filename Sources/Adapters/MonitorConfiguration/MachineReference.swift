/// Something outside the configuration that it names, and where it does.
struct MachineReference: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    /// A btsnoop capture, and a recorded track of a receiver; "-" is standard input.
    case capture(String)
    case recordedTrack(String)
    case scenario(String)
    /// The file that the daemon keeps events in.
    case journal(String)
    /// A program, by path or by a name in PATH.
    case program(String)
    case secretFile(String)
    /// A credential of a unit, systemd.exec(5).
    case credential(String)
    case certificates(String)
    case serialDevice(String)
    /// By name or number.
    case user(String)
    case group(String)
  }

  let target: Target
  let line: Int
  /// The way to the key in words: `notifier action 1: command`.
  let place: String
}

/// The programs that a configuration is for.
public enum ConfiguredService: String, CaseIterable, Sendable {
  case daemon = "beaconmond"
  case notifier = "beaconmon-notifier"
}

extension MachineReference {
  /// The service that needs what is named.
  var service: ConfiguredService {
    switch target {
    case .capture, .recordedTrack, .scenario, .journal, .serialDevice, .user, .group: .daemon
    case .program, .secretFile, .credential, .certificates: .notifier
    }
  }
}
