import Glibc

/// A right that the kernel gives to programs one by one, here those that HCI needs (capabilities(7)).
public enum Capability: String, Sendable {
  /// To receive advertising reports and to send commands.
  case netRaw = "CAP_NET_RAW"
  /// To switch an adapter on.
  case netAdmin = "CAP_NET_ADMIN"

  /// The commands that grant it to this program, as one clause. What switches on also hears, so the one comes with the other.
  ///
  /// systemd ignores a file's capabilities where `NoNewPrivileges` is set, so a service gets them from its unit.
  var advice: String {
    let all = self == .netRaw ? [Self.netRaw] : [.netRaw, .netAdmin]
    let file = all.map { $0.rawValue.lowercased() }.joined(separator: ",") + "+ep"
    let line = self == .netRaw ? "" : ", with its lines for \(rawValue) uncommented"
    return "run \"setcap \(file) \(Self.program)\", or for the service \(Self.dropIn)\(line)"
  }

  /// What gives the unit all that packets need.
  static let dropIn =
    "run \"install -Dt /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/hci.conf\", \"systemctl daemon-reload\" and"
    + " \"systemctl restart beaconmond\""

  private static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0 ? String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : "PROGRAM"
  }
}
