import Glibc

/// A right that the kernel gives to programs one by one, here those that HCI needs (capabilities(7)).
public enum Capability: String, Sendable {
  /// To receive advertising reports and to send commands.
  case netRaw = "CAP_NET_RAW"
  /// To switch an adapter on.
  case netAdmin = "CAP_NET_ADMIN"

  /// The commands that grant it to this program, as one clause.
  ///
  /// A system service gets it from its unit: systemd ignores a file's capabilities where `NoNewPrivileges` is set.
  var advice: String {
    "run \"setcap \(fileGrant) \(Self.program)\", or for the service add AmbientCapabilities=\(unitGrant) to its unit"
      + " (see systemd/beaconmond-hci.conf)"
  }

  /// What is needed to switch on is needed together with what is needed to hear.
  private var fileGrant: String { self == .netRaw ? "cap_net_raw+ep" : "cap_net_raw,cap_net_admin+ep" }
  private var unitGrant: String { self == .netRaw ? "CAP_NET_RAW" : "\"CAP_NET_RAW CAP_NET_ADMIN\"" }

  private static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0 ? String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : "PROGRAM"
  }
}
