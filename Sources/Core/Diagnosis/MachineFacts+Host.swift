import Geomagnetism
import Instants
import Status

// The findings about the clock, the disk, the config and the targets.

extension MachineFacts {
  /// 2025-01-01 and 2100-01-01: a time outside of them comes from a machine without a clock.
  private static let saneTimes = Instant(microseconds: 1_735_689_600_000_000)..<Instant(microseconds: 4_102_444_800_000_000)

  var clockFindings: [Finding] {
    findings(clock, .clock) { clock in
      let command = asRoot("timedatectl set-ntp true")
      guard Self.saneTimes.contains(clock.now) else {
        return [Finding(.clock, .fault, "the date is \(clock.now.rfc3339.prefix(10)), so times of events are wrong", command: command)]
      }
      let finding =
        switch clock.isSynchronised {
        case true?: Finding(.clock, .ok, "the clock is synchronised")
        case false?: Finding(.clock, .warning, "the clock is not synchronised, so times of events may be wrong", command: command)
        case nil: Finding(.clock, .unknown, "the kernel does not report whether the clock is synchronised")
        }
      return [finding] + magneticModelFindings(at: clock.now)
    }
  }

  private func magneticModelFindings(at time: Instant) -> [Finding] {
    let model = MagneticModel.wmm2025
    let end = model.validity.upperBound
    guard let year = DecimalYear.at(unixTime: Double(time.microseconds) / 1e6), year >= end else { return [] }
    return [
      Finding(
        .clock, .warning, "\(model.name) was valid until \(Int(end)), so true headings are less certain; update beaconmon")
    ]
  }

  /// The free space below which the journal soon fails, and the space for its usual size.
  private static let (leastSpace, usualSpace) = (UInt64(4) << 20, UInt64(64) << 20)
  private static let (leastInodes, usualInodes) = (UInt64(8), UInt64(100))

  /// The folder of the service, which belongs to its user alone.
  private static let stateFolder = "/var/lib/beaconmon"

  var diskFindings: [Finding] {
    findings(disk, .disk) { disk in
      let folder = disk.folder
      guard let space = disk.space else {
        guard isService, daemon.value?.presence == .answering else { return [Finding(.disk, .unknown, "\(folder) does not exist yet")] }
        return [
          Finding(
            .disk, .warning, "\(folder) does not exist, so events are kept in memory only", command: asRoot("systemctl restart beaconmond"))
        ]
      }
      if space.isReadOnly {
        return [
          Finding(
            .disk, .fault, "\(folder) is on a disk that is read-only",
            command: asRoot("mount -o remount,rw \"$(findmnt -no TARGET -T \(folder))\""))
        ]
      }
      if folder == Self.stateFolder, space.isOwned == false {
        return [
          Finding(
            .disk, .fault, "\(folder) does not belong to the user beaconmon, so beaconmond cannot write there",
            command: asRoot("chown beaconmon:beaconmon \(folder)"))
        ]
      }
      // Another folder may be shared, such as /srv, so its owner is not to change.
      if folder != Self.stateFolder, space.isWritable == false {
        let user = isService ? "the user beaconmon" : "this user"
        return [
          Finding(.disk, .fault, "\(user) may not write in \(folder); permit it, or set journal.path to a folder of that user")
        ]
      }
      if let free = space.freeOctets, free < Self.usualSpace {
        let verdict: Finding.Verdict = free < Self.leastSpace ? .fault : .warning
        return [Finding(.disk, verdict, "\(folder) has only \(free >> 20) MiB left; make room", command: "df -h \(folder)")]
      }
      if let inodes = space.freeInodes, inodes < Self.usualInodes {
        let verdict: Finding.Verdict = inodes < Self.leastInodes ? .fault : .warning
        return [Finding(.disk, verdict, "\(folder) has room for only \(inodes) more files; remove some", command: "df -i \(folder)")]
      }
      return [Finding(.disk, .ok, "\(folder) can be written" + (space.freeOctets.map { ", \($0 >> 20) MiB are free" } ?? ""))]
    }
  }

  // MARK: - Config

  private static let mostLines = 8
  private static let systemConfig = "/etc/beaconmon/beaconmon.toml"

  var configFindings: [Finding] {
    findings(config, .config) { config in
      guard !config.isForbidden || user.value?.isRoot == true else {
        return [
          Finding(
            .config, .unknown, "user \(user.value?.name ?? "") may not read \(config.file) or a drop-in, so neither was checked",
            command: "sudo beaconmon doctor")
        ]
      }
      let check = "beaconmon config check \(config.file)"
      guard !config.isAbsent || config.status == 0 else {
        let command = config.file == Self.systemConfig ? asRoot("beaconmon setup") : "beaconmon setup --config \(config.file)"
        return [Finding(.config, .fault, "\(config.file) does not exist", command: command)]
      }
      let lines = config.lines.map { $0.hasPrefix("beaconmon: ") ? String($0.dropFirst(11)) : $0 }
      guard config.status == 0 || config.status == 1 else {
        let shown = lines.isEmpty ? ["the check ended with status \(config.status)"] : Array(lines.prefix(Self.mostLines))
        let more = lines.count > shown.count ? [Finding(.config, .fault, "\(lines.count - shown.count) more errors", command: check)] : []
        return shown.map { Finding(.config, .fault, $0) } + more
      }
      let warnings = lines.dropFirst()
      let shown = warnings.prefix(Self.mostLines)
      let more = warnings.count > shown.count ? [Finding(.config, .warning, "\(warnings.count - shown.count) more", command: check)] : []
      return [Finding(.config, .ok, lines.first ?? "\(config.file): valid")] + shown.map { Finding(.config, .warning, $0) } + more
    }
  }

  // MARK: - Targets

  var targetFindings: [Finding] {
    guard let actions = config.value?.actions else { return [] }
    guard actions > 0 else { return [Finding(.notifier, .ok, "no action is configured")] }
    let running = findings(isNotifierRunning, .notifier) { isRunning in
      guard !isRunning else { return [Finding(.notifier, .ok, "beaconmon-notifier runs")] }
      let text = "beaconmon-notifier does not run, so no action happens"
      let isMissing = isService && missingPrograms.contains("beaconmon-notifier")
      let command =
        isMissing
        ? asRoot("apt-get install beaconmon-notifier") : start("beaconmon-notifier", personal: "beaconmon-session-notifier")
      return [Finding(.notifier, .fault, text, command: command)]
    }
    return running
      + hosts.map { host in
        guard let failure = host.failure else { return Finding(.target, .ok, "\(host.target) is reachable") }
        return Finding(.target, .warning, "\(host.target) is not reachable: \(failure)")
      } + (untriedHosts > 0 ? [Finding(.target, .unknown, "\(untriedHosts) more targets were not tried")] : [])
  }
}
