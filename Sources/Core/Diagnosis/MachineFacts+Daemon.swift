import RadioHealth
import Status

// The findings about the bus, the daemon and its permissions.

extension MachineFacts {
  var busFindings: [Finding] {
    findings(daemon, .bus) { daemon in
      if case .noBus(let reason) = daemon.presence {
        return [Finding(.bus, .fault, reason, command: isService ? asRoot("systemctl start dbus") : nil)]
      }
      guard daemon.hasPolicy || daemon.presence == .answering else {
        return [
          Finding(
            .bus, .fault, "the bus has no policy for org.beaconmon.Monitor1, so beaconmond may not own its name",
            command: asRoot("apt-get install --reinstall beaconmon"))
        ]
      }
      return [Finding(.bus, .ok, daemon.presence == .absent ? "the bus answers" : "org.beaconmon.Monitor1 has an owner")]
    }
  }

  var daemonFindings: [Finding] {
    guard case .found(let daemon) = daemon else { return [] }
    switch daemon.presence {
    case .noBus: return []
    case .absent:
      return [
        Finding(.daemon, .fault, "beaconmond does not run", command: start("beaconmond", personal: "beaconmond"))
      ]
    case .silent(let reason):
      return [
        Finding(
          .daemon, .fault, "beaconmond does not answer: \(reason)", command: isService ? asRoot("systemctl restart beaconmond") : nil)
      ]
    case .refused: return [Finding(.daemon, .ok, "beaconmond runs"), access(isRefused: true)]
    case .answering:
      let version = daemon.status?.version.map { " \($0)" } ?? ""
      return [Finding(.daemon, .ok, "beaconmond\(version) runs"), access(isRefused: false)] + (daemon.status.map(health) ?? [])
    }
  }

  private func access(isRefused: Bool) -> Finding {
    let name = user.value.map { "user \($0.name)" } ?? "this user"
    guard isRefused else { return Finding(.access, .ok, "\(name) may call beaconmond") }
    guard let user = user.value else { return Finding(.access, .warning, "\(name) may not call beaconmond") }
    guard !user.isListed, !user.isInsider else {
      return Finding(.access, .warning, "\(name) is in the group beaconmon only after the next login", command: "newgrp beaconmon")
    }
    return Finding(
      .access, .warning, "\(name) may not call beaconmond: only root and the group beaconmon may; after the command, log in again",
      command: asRoot("usermod -aG beaconmon \(user.name)"))
  }

  /// Returns the findings about the problems that the daemon reports itself, except those that have a check of their own.
  private func health(_ status: MonitorStatus) -> [Finding] {
    let report = HealthReport(status, isClockSynchronised: nil)
    let hasRadioFault = (radioFindings + bluetoothdFindings).contains { $0.verdict == .fault }
    var findings: [Finding] = []
    for problem in report.problems ?? [] {
      let note = problem.note ?? "no reason is known"
      switch problem.kind {
      // A finding about the radio already states this fault.
      case .adapter where hasRadioFault, .source where hasRadioFault: break
      case .source: findings.append(Finding(.reception, .fault, note))
      case .adapter: findings.append(Finding(.reception, .warning, note))
      case .journal, .consent, .outbox: findings.append(Finding(.disk, .warning, note))
      case .configuration:
        let isRefused = status.refusedReload.map { note.hasSuffix($0.reason ?? "") } ?? false
        findings.append(
          Finding(.config, .warning, note, command: isRefused && isService ? asRoot("systemctl reload beaconmond") : nil))
      case .location, .advertising, .clock, .daemon, nil: findings.append(Finding(.reception, .warning, note))
      }
    }
    let receivers = (status.venues ?? []).flatMap { $0.receivers ?? [] }
    findings += receivers.compactMap(\.note).map { Finding(.config, .warning, $0) }
    if !hasRadioFault, !findings.contains(where: { $0.check == .reception }) { findings.append(reception(status)) }
    return findings
  }

  private func reception(_ status: MonitorStatus) -> Finding {
    switch status.source.state {
    case .scanning:
      let rate = (status.adapters ?? []).compactMap(\.reportsPerSecond).reduce(0, +)
      return Finding(
        .reception, .ok,
        "beaconmond scans and receives"
          + (Int(exactly: rate.rounded()).map { " \($0) reports a second" } ?? " reports"))
    case .idle: return Finding(.reception, .ok, "beaconmond does not scan, because no region or session needs beacons")
    case .nothing: return Finding(.reception, .ok, "beaconmond does not scan for beacons, as source = \"none\" says")
    case .paused: return Finding(.reception, .ok, "the scan is paused" + (status.source.note.map { ": \($0)" } ?? ""))
    case .gone, nil: return Finding(.reception, .unknown, "the source does not report its state")
    }
  }

  // MARK: - Capabilities

  /// The numbers of capabilities, linux/capability.h.
  private static let (netAdmin, netRaw) = (UInt64(1) << 12, UInt64(1) << 13)

  private static let packets = [
    "install -Dm 644 -t /etc/systemd/system/beaconmond.service.d /usr/share/beaconmon/hci.conf", "systemctl daemon-reload",
    "systemctl restart beaconmond",
  ]

  var capabilityFindings: [Finding] {
    guard needsRadio, let source = sourceName else { return [] }
    return findings(daemonCapabilities, .capabilities) { capabilities in
      guard let capabilities else {
        // A daemon that may not receive packets does not start with this source.
        guard source == "hci", isService, daemon.value?.presence == .absent else { return [] }
        return [
          Finding(
            .capabilities, .unknown, "source = \"hci\" requires CAP_NET_RAW, which the drop-in hci.conf gives",
            command: Self.packets.map { asRoot($0) }.joined(separator: " && "))
        ]
      }
      let names = [(Self.netRaw, "CAP_NET_RAW"), (Self.netAdmin, "CAP_NET_ADMIN")].filter { capabilities & $0.0 != 0 }.map(\.1)
      let text = "beaconmond has " + (names.isEmpty ? "neither CAP_NET_RAW nor CAP_NET_ADMIN" : names.joined(separator: " and "))
      guard capabilities & Self.netRaw == 0 else { return [Finding(.capabilities, .ok, text)] }
      guard source == "hci" else { return [Finding(.capabilities, .ok, "\(text), so it receives through bluetoothd")] }
      return [
        Finding(
          .capabilities, .fault, "\(text), but source = \"hci\" requires CAP_NET_RAW",
          command: isService ? Self.packets.map { asRoot($0) }.joined(separator: " && ") : nil)
      ]
    }
  }

  // MARK: - Versions

  var versionFindings: [Finding] {
    guard let running = daemon.value?.status?.version else { return [Finding(.version, .ok, "beaconmon \(version)")] }
    guard let daemon = VersionNumbers(running), let own = VersionNumbers(version), daemon != own else {
      return [Finding(.version, .ok, "beaconmon and beaconmond have version \(running)")]
    }
    guard daemon < own else {
      return [
        Finding(
          .version, .warning, "beaconmon \(version) is older than beaconmond \(running); another copy of it may come first in PATH",
          command: "type -a beaconmon")
      ]
    }
    return [
      Finding(
        .version, .warning, "beaconmond \(running) is older than beaconmon \(version), because it was not restarted after an upgrade",
        command: isService ? asRoot("systemctl restart beaconmond") : nil)
    ]
  }
}
