import EventLoop
import Glibc

/// A kernel capability that HCI needs (capabilities(7)).
public enum Capability: String, Sendable {
  /// The right to receive advertising reports and to send commands.
  case netRaw = "CAP_NET_RAW"
  /// The right to switch an adapter on.
  case netAdmin = "CAP_NET_ADMIN"

  /// Returns how to grant the capability, as one clause.
  /// A program that switches an adapter on also receives, so the advice grants both capabilities.
  ///
  /// A unit does not start a program whose file has capabilities that the unit may not have. A service therefore gets them from its unit,
  /// and a program started by hand is a copy with file capabilities.
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

  /// The drop-in that grants the unit all rights for packets.
  static let dropIn =
    "run \"install -Dm 644 -t \(folder) /usr/share/beaconmon/hci.conf\", \"systemctl daemon-reload\" and \"systemctl restart beaconmond\""

  /// The name by which this program was started, because its file has other names as well.
  private static var program: String { CommandLine.arguments.first ?? "beaconmond" }
}
