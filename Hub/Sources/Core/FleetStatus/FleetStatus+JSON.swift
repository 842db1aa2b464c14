extension FleetStatus {
  /// The status as JSON. Times are in seconds.
  public var json: String {
    let devices = devices.map { device in
      Self.object([
        "name": Self.text(device.name), "silence": Self.number(device.silence), "lag": Self.number(device.lag),
        "version": device.version.map(Self.text) ?? "null", "revision": Self.number(device.revision),
        "configuration": device.configuration.map(Self.text) ?? "null",
        "missing": Self.number(device.missing),
        "lost": Self.number(device.lost), "refused": Self.counts(device.refused),
        "recentRefusals": "[" + device.recentRefusals.keys.sorted().map(Self.text).joined(separator: ",") + "]",
        "setAside": "\(device.setAside)", "revoked": "\(device.isRevoked)",
        "cloned": "\(device.looksCloned)", "silent": "\(device.isSilent)",
        "findings": "[" + device.findings.map(Self.text).joined(separator: ",") + "]",
        "enrolled": Self.number(device.enrolled), "neverConnected": "\(device.hasNeverConnected)",
        "expected": Self.number(device.expected), "certificate": Self.number(device.certificate),
        "problems": device.health.map { "[" + $0.problems.map(Self.text).joined(separator: ",") + "]" } ?? "null",
        "freeSpace": Self.number(device.health?.freeSpace), "droppedDigests": Self.number(device.health?.droppedDigests),
        "isClockSynchronised": device.health?.isClockSynchronised.map { "\($0)" } ?? "null",
        "rollout": device.rollout.map {
          Self.object(["revision": "\($0.revision)", "state": Self.text($0.state.name), "text": Self.text($0.text)])
        } ?? "null",
      ])
    }
    let queues = queues.map { queue in
      Self.object([
        "queue": "\(queue.number)", "worker": queue.worker.map(Self.text) ?? "null", "owned": "\(queue.isOwned)", "idle": "\(queue.isIdle)",
        "backlog": Self.number(queue.backlog.map { Int64($0) }), "newest": Self.number(queue.newest),
      ])
    }
    let disks = disks.map { disk in
      Self.object([
        "machine": Self.text(disk.machine), "path": Self.text(disk.path), "free": "\(disk.free)", "age": "\(disk.age)",
      ])
    }
    let outages = outages.map { outage in
      Self.object([
        "part": Self.text(outage.part.rawValue), "cause": Self.text(outage.cause), "since": Self.number(outage.since),
        "ended": Self.number(outage.ended), "text": Self.text(outage.text),
      ])
    }
    let certificates = certificates.map { Self.object(["path": Self.text($0.path), "end": "\($0.end)"]) }
    let alerts = alerts.map { alert in
      Self.object([
        "number": "\(alert.id)", "kind": Self.text(alert.kind), "text": Self.text(alert.text), "age": "\(alert.age)",
        "muted": "\(alert.isMuted)",
      ])
    }
    let rollouts = rollouts.map { rollout in
      Self.object([
        "revision": "\(rollout.revision)", "phase": Self.text(rollout.phase), "age": "\(rollout.age)", "reason": Self.text(rollout.reason),
        "audience": Self.text(rollout.audience), "actor": Self.text(rollout.actor), "soak": "\(rollout.soak)",
        "waiting": "\(rollout.counts.waiting)", "onTrial": "\(rollout.counts.onTrial)", "confirmed": "\(rollout.counts.confirmed)",
        "refused": "\(rollout.counts.refused)", "rolledBack": "\(rollout.counts.rolledBack)",
        "canaries": Self.devices(rollout.canaries), "failures": Self.devices(rollout.failures),
      ])
    }
    let strangers = strangers.sorted { $0.key < $1.key }.map { reason, stranger in
      "\(Self.text(reason)):" + Self.object(["messages": "\(stranger.messages)", "last": Self.text(stranger.detail)])
    }
    let retention = retention.map { rule in
      Self.object([
        "kind": Self.text(rule.kind), "hours": "\(rule.hours)", "oldest": Self.number(rule.oldest), "size": Self.number(rule.size),
        "checked": Self.number(rule.checked), "failure": rule.failure.map(Self.text) ?? "null",
      ])
    }
    return "{\"devices\":[\(devices.joined(separator: ",\n"))],\n\"queues\":[\(queues.joined(separator: ",\n"))],\n"
      + "\"outages\":[\(outages.joined(separator: ",\n"))],\n"
      + "\"certificates\":[\(certificates.joined(separator: ",\n"))],\n\"disks\":[\(disks.joined(separator: ",\n"))],\n\"alerts\":[\(alerts.joined(separator: ",\n"))],\n\"watched\":\(isWatched),\"failedDeliveries\":\(failedDeliveries),\n"
      + "\"rollouts\":[\(rollouts.joined(separator: ",\n"))],\n\"retention\":[\(retention.joined(separator: ",\n"))],\n\"strangers\":{\(strangers.joined(separator: ","))},\n"
      + "\"setAside\":\(setAside),\n\"databaseSize\":\(databaseSize)}\n"
  }

  private static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
  private static func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "null" }

  private static func devices(_ devices: [RolloutDevice]) -> String {
    "["
      + devices.map {
        object(["name": text($0.name), "state": $0.state.map { text($0.name) } ?? "null", "text": text($0.text)])
      }.joined(separator: ",") + "]"
  }

  private static func counts(_ counts: [String: Int64]) -> String {
    "{" + counts.sorted { $0.key < $1.key }.map { "\(text($0.key)):\($0.value)" }.joined(separator: ",") + "}"
  }

  private static func text(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 32: result += "\\u00" + (scalar.value < 16 ? "0" : "1") + String(scalar.value % 16, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
