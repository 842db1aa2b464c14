import RadioHealth
import Status

// The findings about the kernel, adapters and bluetoothd.

extension MachineFacts {
  /// The oldest kernel with epoll_pwait2(2), on which the programs wait.
  private static let oldestKernel = "5.11"

  var kernelFindings: [Finding] {
    findings(kernel, .kernel) { release in
      guard let version = VersionNumbers(release), let oldest = VersionNumbers(Self.oldestKernel) else {
        return [Finding(.kernel, .unknown, "the kernel reports the release \"\(release)\", which is not a version")]
      }
      guard version >= oldest else {
        return [Finding(.kernel, .fault, "Linux \(release) is too old; beaconmon requires \(Self.oldestKernel)")]
      }
      return [Finding(.kernel, .ok, "Linux \(release)")]
    }
  }

  /// The findings about adapters, their firmware and rfkill.
  var radioFindings: [Finding] {
    findings(radio, .adapter) { radio in
      guard !radio.adapters.isEmpty else { return [noAdapter(radio)] + firmwareFindings }
      return radio.adapters.map { power($0, among: radio.adapters) } + blocks(radio.adapters) + firmwareFindings
    }
  }

  private func noAdapter(_ radio: RadioFacts) -> Finding {
    guard needsRadio else { return Finding(.adapter, .ok, "there is no adapter, and source = \"\(sourceName ?? "")\" needs none") }
    guard radio.isSupported else {
      return Finding(
        .adapter, .fault, "the kernel has no Bluetooth, or its module is not loaded",
        command: asRoot("modprobe bluetooth", "modprobe btusb"))
    }
    return Finding(.adapter, .fault, "there is no Bluetooth adapter; plug one in, or find it with lsusb and dmesg")
  }

  /// Returns whether beaconmond may receive with an adapter, as far as is known.
  private func works(_ adapter: RadioFacts.Adapter) -> Bool {
    guard !adapter.isBlocked, isInUse(adapter) else { return false }
    guard case .found(let list?) = listedAdapters else { return true }
    return list.contains { $0.name == adapter.name && $0.isPowered }
  }

  /// Returns whether beaconmond uses an adapter; one that the config ignores is not in the status.
  private func isInUse(_ adapter: RadioFacts.Adapter) -> Bool {
    guard let used = daemon.value?.status?.adapters, !used.isEmpty else { return true }
    return used.contains { $0.name == adapter.name }
  }

  /// Returns the verdict about an adapter that does not work: a machine with another one still receives.
  private func verdict(about adapter: RadioFacts.Adapter, among adapters: [RadioFacts.Adapter]) -> Finding.Verdict {
    guard isInUse(adapter) else { return .ok }
    return needsRadio && !adapters.contains(where: works) ? .fault : .warning
  }

  private func power(_ adapter: RadioFacts.Adapter, among adapters: [RadioFacts.Adapter]) -> Finding {
    let name = adapter.name + (adapter.connection.map { " (\($0))" } ?? "")
    let bad = verdict(about: adapter, among: adapters)
    guard isInUse(adapter) else { return Finding(.adapter, .ok, "\(name) is not used by beaconmond") }
    // The finding of rfkill has the command.
    guard !adapter.isBlocked else { return Finding(.adapter, bad, "\(name) is off, because it is blocked") }
    switch listedAdapters {
    case .found(let list?):
      guard let listed = list.first(where: { $0.name == adapter.name }) else {
        return Finding(.adapter, bad, "\(name) is not listed by bluetoothd", command: asRoot("systemctl restart bluetooth"))
      }
      guard listed.isPowered else { return Finding(.adapter, bad, "\(name) is off", command: powerOn(adapter, isOnly: list.count == 1)) }
      return Finding(.adapter, .ok, "\(name) is on")
    case .found(nil), .failed: return Finding(.adapter, .ok, "\(name) is plugged in")
    }
  }

  /// Returns the command that switches an adapter on.
  /// bluetoothctl takes no adapter on its command line, and switches on the default one.
  private func powerOn(_ adapter: RadioFacts.Adapter, isOnly: Bool) -> String {
    isOnly ? "bluetoothctl power on" : asRoot("btmgmt --index \(adapter.name.dropFirst(3)) power on")
  }

  /// Returns a finding for each blocked adapter, or one that none is blocked.
  private func blocks(_ adapters: [RadioFacts.Adapter]) -> [Finding] {
    let blocked = adapters.filter { $0.isBlocked && isInUse($0) }
    guard !blocked.isEmpty else { return [Finding(.rfkill, .ok, "no adapter is blocked")] }
    return blocked.map { adapter in
      let bad = verdict(about: adapter, among: adapters)
      guard !adapter.isHardBlocked else {
        return Finding(.rfkill, bad, "a switch of this machine blocks \(adapter.name); move the switch, or press its key")
      }
      return Finding(.rfkill, bad, "a program has blocked \(adapter.name)", command: unblock(adapter))
    }
  }

  /// Returns the command that unblocks an adapter. Debian has rfkill in a package of its own.
  private func unblock(_ adapter: RadioFacts.Adapter) -> String {
    guard missingPrograms.contains("rfkill"), let block = adapter.block else { return asRoot("rfkill unblock bluetooth") }
    return asRoot("sh -c 'echo 0 >\(block)/soft'")
  }

  /// The packages of Debian with firmware, by a part of the message of the kernel in lower case.
  private static let firmwarePackages = [
    ("rtl", "firmware-realtek"), ("intel", "firmware-iwlwifi"), ("ibt", "firmware-iwlwifi"), ("brcm", "firmware-brcm80211"),
    ("bcm", "firmware-brcm80211"), ("qca", "firmware-atheros"), ("ar3k", "firmware-atheros"),
  ]

  private var firmwareFindings: [Finding] {
    findings(firmwareMessages, .firmware) { messages in
      guard let last = messages.last else { return [Finding(.firmware, .ok, "the kernel reports no failure")] }
      let text = last.lowercased()
      let package = Self.firmwarePackages.first { text.contains($0.0) }?.1 ?? "firmware-misc-nonfree"
      return [
        Finding(
          .firmware, .warning, "the kernel could not load it: \(last); after the command, plug the adapter in again, or reboot",
          command: asRoot("apt-get install \(package)"))
      ]
    }
  }

  // MARK: - bluetoothd

  /// The first version whose advertisement monitor needs no `--experimental`.
  private static let monitorVersion = "5.77"

  var bluetoothdFindings: [Finding] {
    findings(bluetoothd, .bluetoothd) { facts in
      let version = facts.version.map { " \($0)" } ?? ""
      guard facts.isRunning else { return [absent(facts, version)] }
      let flags = facts.arguments.map { $0.isEmpty ? " without options" : " with \($0.joined(separator: " "))" } ?? ""
      let text = "bluetoothd\(version) runs\(flags)"
      guard case .found(let list?) = listedAdapters else {
        let reason = if case .failed(let reason) = listedAdapters { ", but does not list its adapters: \(reason)" } else { "" }
        return [Finding(.bluetoothd, reason.isEmpty ? .ok : .unknown, text + reason)]
      }
      let lacksMonitors = !list.isEmpty && list.allSatisfy { !$0.hasMonitors }
      guard lacksMonitors, needsRadio, !receivesPackets else { return [Finding(.bluetoothd, .ok, text)] }
      let isOld = Self.isOlder(facts.version, than: Self.monitorVersion)
      let advice = isOld ? "; --experimental enables it" : ""
      return [
        Finding(
          .bluetoothd, .warning,
          "\(text) and has no advertisement monitor, so some controllers report a beacon only once in 10 s\(advice)",
          command: isOld ? Self.experimental.map { asRoot($0) }.joined(separator: " && ") : nil)
      ]
    }
  }

  /// Returns whether a version is older than another; true if it is unknown.
  private static func isOlder(_ version: String?, than other: String) -> Bool {
    guard let version = version.flatMap(VersionNumbers.init), let other = VersionNumbers(other) else { return true }
    return version < other
  }

  private static let experimental = [
    "install -Dm 644 /usr/share/beaconmon/bluetooth-experimental.conf /etc/systemd/system/bluetooth.service.d/beaconmon.conf",
    "systemctl daemon-reload", "systemctl restart bluetooth",
  ]

  private func absent(_ facts: BluetoothdFacts, _ version: String) -> Finding {
    guard needsRadio else { return Finding(.bluetoothd, .ok, "bluetoothd does not run, and source = \"\(sourceName ?? "")\" needs none") }
    // systemd does not start it without an adapter.
    if let radio = radio.value, radio.adapters.isEmpty {
      return Finding(.bluetoothd, .unknown, "bluetoothd\(version) does not run, because there is no adapter")
    }
    guard !receivesPackets else { return Finding(.bluetoothd, .ok, "bluetoothd does not run; beaconmond scans without it") }
    guard facts.isInstalled else {
      return Finding(.bluetoothd, .fault, "bluetoothd is not installed", command: asRoot("apt-get install bluez"))
    }
    return Finding(.bluetoothd, .fault, "bluetoothd\(version) does not run", command: asRoot("systemctl enable --now bluetooth"))
  }

  // MARK: - Other users of the radio

  var scannerFindings: [Finding] {
    guard needsRadio, case .found(let list?) = listedAdapters else { return [] }
    let discovering = list.filter(\.isDiscovering).map(\.name)
    let programs = scanningPrograms.value ?? []
    let names = programs.isEmpty ? "" : ": \(programs.joined(separator: ", "))"
    guard !discovering.isEmpty else {
      return [Finding(.scanners, .ok, programs.isEmpty ? "no other program scans" : "no other program scans now; running\(names)")]
    }
    // bluetoothd does not report for which programs an adapter discovers.
    if daemon.value?.status?.source.state == .scanning {
      guard programs.isEmpty else {
        return [
          Finding(
            .scanners, .warning,
            "\(discovering.joined(separator: ", ")) scans for beaconmond, and perhaps for another program that runs\(names); "
              + "end it if beacons are heard rarely")
        ]
      }
      return [Finding(.scanners, .ok, "\(discovering.joined(separator: ", ")) scans for beaconmond")]
    }
    switch daemon.value?.presence {
    case .absent, .answering: break
    // A daemon that does not answer may scan.
    case .noBus, .refused, .silent, nil:
      return [Finding(.scanners, .unknown, "\(discovering.joined(separator: ", ")) scans, perhaps for beaconmond")]
    }
    return [
      Finding(
        .scanners, .warning,
        "another program lets \(discovering.joined(separator: ", ")) scan\(names); it takes power and radio time, so end it if it is not needed"
      )
    ]
  }

  var wirelessFindings: [Finding] {
    guard needsRadio else { return [] }
    return findings(wireless, .wifi) { interfaces in
      let shared = interfaces.filter { $0.adapter != nil && (2400...2500).contains($0.frequency) }
      guard let first = shared.first else {
        let text = interfaces.map { "\($0.interface) at \($0.frequency) MHz" }.joined(separator: ", ")
        return [Finding(.wifi, .ok, text.isEmpty ? "not connected" : "\(text), not on the chip of an adapter")]
      }
      return [
        Finding(
          .wifi, .warning,
          "\(first.interface) uses \(first.frequency) MHz on the chip of \(first.adapter ?? ""), so beacons are lost while it sends; "
            + "connect to a network at 5 GHz")
      ]
    }
  }
}
