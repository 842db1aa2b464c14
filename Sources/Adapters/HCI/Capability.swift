import EventLoop
import Glibc

/// A right that the kernel gives to programs one by one, here those that HCI needs (capabilities(7)).
public enum Capability: String, Sendable {
  /// To receive advertising reports and to send commands.
  case netRaw = "CAP_NET_RAW"
  /// To switch an adapter on.
  case netAdmin = "CAP_NET_ADMIN"

  /// What grants it, as one clause. What switches on also hears, so the one comes with the other.
  ///
  /// A unit does not start a program whose file has capabilities that the unit may not have: a service gets them from its unit, and by hand a copy
  /// gets them.
  func advice(isService: Bool = ServiceUnit.isThisProcess()) -> String {
    guard !isService else {
      return self == .netRaw
        ? Self.dropIn
        : "uncomment the lines for \(rawValue) in \(Self.installed), then run \"systemctl daemon-reload\" and \"systemctl restart beaconmond\""
    }
    let all = self == .netRaw ? [Self.netRaw] : [.netRaw, .netAdmin]
    let file = all.map { $0.rawValue.lowercased() }.joined(separator: ",") + "+ep"
    return "copy \(Self.program) and run \"sudo setcap \(file)\" on the copy; the service has hci.conf for that"
  }

  private static let folder = "/etc/systemd/system/beaconmond.service.d"
  private static let installed = folder + "/hci.conf"

  /// What gives the unit all that packets need.
  static let dropIn =
    "run \"install -Dm 644 -t \(folder) /usr/share/beaconmon/hci.conf\", \"systemctl daemon-reload\" and \"systemctl restart beaconmond\""

  private static var program: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0 ? String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : "PROGRAM"
  }
}
