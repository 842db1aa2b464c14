import Glibc

/// The shipped units of the services.
enum SystemdUnit {
  static let portAdvice =
    "the unit beaconmond.service has no network, so no program reaches this port; write a path such as /run/beaconmon/metrics.sock, or "
    + "permit ports with the drop-in of the monitoring guide"

  /// The folder that the unit makes with RuntimeDirectory=.
  static func runtimeFolder(of service: ConfiguredService) -> String {
    switch service {
    case .daemon: "/run/beaconmon"
    case .notifier: "/run/beaconmon-notifier"
    case .web: "/run/beaconmon-web"
    }
  }

  /// Whether the service's unit is installed and keeps it away from the network of the machine.
  static func hidesPorts(of service: ConfiguredService) -> Bool {
    let unit = "systemd/system/\(service.rawValue).service"
    guard let text = ["/etc", "/usr/lib"].lazy.compactMap({ text(of: "\($0)/\(unit)") }).first else { return false }
    guard text.contains("\nPrivateNetwork=yes") else { return false }
    let dropIns = ["/etc", "/run", "/usr/lib"].flatMap { folder in
      names(in: "\(folder)/\(unit).d").filter { $0.hasSuffix(".conf") }.map { "\(folder)/\(unit).d/\($0)" }
    }
    // A drop-in that this user may not read can permit the network, so it prevents the warning.
    return !dropIns.contains { self.text(of: $0)?.contains("\nPrivateNetwork=no") ?? true }
  }

  /// Returns the text of a file of systemd; nil if it is absent or this user may not read it.
  private static func text(of path: String) -> String? {
    // The check is about beaconmon's own files. A fault of a unit is for systemd to report.
    try? ConfigurationFile.text(of: path)
  }

  private static func names(in path: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(path)/*", 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }?.split(separator: "/").last.map(String.init)
    }
  }
}
