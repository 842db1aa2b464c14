import Records

extension FleetStatus {
  /// The status as JSON. Times are in seconds.
  public var json: String {
    let devices = devices.map { device in
      Self.object([
        "name": device.name.asJSON, "silence": Self.number(device.silence), "lag": Self.number(device.lag),
        "version": device.version?.asJSON ?? "null", "revision": Self.number(device.revision),
        "configuration": device.configuration?.asJSON ?? "null",
        "missing": Self.number(device.missing),
        "lost": Self.number(device.lost), "refused": Self.counts(device.refused),
        "recentRefusals": "[" + device.recentRefusals.keys.sorted().map(\.asJSON).joined(separator: ",") + "]",
        "setAside": "\(device.setAside)", "revoked": "\(device.isRevoked)",
        "cloned": "\(device.looksCloned)", "silent": "\(device.isSilent)",
        "findings": "[" + device.findings.map(\.asJSON).joined(separator: ",") + "]",
        "enrolled": Self.number(device.enrolled), "neverConnected": "\(device.hasNeverConnected)",
        "expected": Self.number(device.expected), "certificate": Self.number(device.certificate),
        "problems": device.health.map { "[" + $0.problems.map(\.asJSON).joined(separator: ",") + "]" } ?? "null",
        "freeSpace": Self.number(device.health?.freeSpace), "droppedDigests": Self.number(device.health?.droppedDigests),
        "isClockSynchronised": device.health?.isClockSynchronised.map { "\($0)" } ?? "null",
        "rollout": device.rollout.map {
          Self.object(["revision": "\($0.revision)", "state": $0.state.name.asJSON, "text": $0.text.asJSON])
        } ?? "null",
      ])
    }
    let queues = queues.map { queue in
      Self.object([
        "queue": "\(queue.number)", "worker": queue.worker?.asJSON ?? "null", "owned": "\(queue.isOwned)", "idle": "\(queue.isIdle)",
        "backlog": Self.number(queue.backlog.map { Int64($0) }), "newest": Self.number(queue.newest),
      ])
    }
    let disks = disks.map { disk in
      Self.object([
        "machine": disk.machine.asJSON, "path": disk.path.asJSON, "free": "\(disk.free)", "age": "\(disk.age)",
      ])
    }
    let outages = outages.map { outage in
      Self.object([
        "part": outage.part.rawValue.asJSON, "cause": outage.cause.asJSON, "since": Self.number(outage.since),
        "ended": Self.number(outage.ended), "text": outage.text.asJSON,
      ])
    }
    let certificates = certificates.map { Self.object(["path": $0.path.asJSON, "end": "\($0.end)"]) }
    let alerts = alerts.map { alert in
      Self.object([
        "number": "\(alert.id)", "kind": alert.kind.asJSON, "text": alert.text.asJSON, "age": "\(alert.age)",
        "muted": "\(alert.isMuted)",
      ])
    }
    let rollouts = rollouts.map { rollout in
      Self.object([
        "revision": "\(rollout.revision)", "phase": rollout.phase.asJSON, "age": "\(rollout.age)", "reason": rollout.reason.asJSON,
        "audience": rollout.audience.asJSON, "actor": rollout.actor.asJSON, "soak": "\(rollout.soak)",
        "waiting": "\(rollout.counts.waiting)", "onTrial": "\(rollout.counts.onTrial)", "confirmed": "\(rollout.counts.confirmed)",
        "refused": "\(rollout.counts.refused)", "rolledBack": "\(rollout.counts.rolledBack)",
        "canaries": Self.devices(rollout.canaries), "failures": Self.devices(rollout.failures),
      ])
    }
    let unattributed = unattributed.sorted { $0.key < $1.key }.map { reason, refusals in
      "\(reason.asJSON):" + Self.object(["messages": "\(refusals.messages)", "last": refusals.detail.asJSON])
    }
    let retention = retention.map { rule in
      Self.object([
        "kind": rule.kind.asJSON, "hours": "\(rule.hours)", "oldest": Self.number(rule.oldest), "size": Self.number(rule.size),
        "checked": Self.number(rule.checked), "failure": rule.failure?.asJSON ?? "null",
      ])
    }
    return "{\"devices\":[\(devices.joined(separator: ",\n"))],\n\"queues\":[\(queues.joined(separator: ",\n"))],\n"
      + "\"outages\":[\(outages.joined(separator: ",\n"))],\n"
      + "\"certificates\":[\(certificates.joined(separator: ",\n"))],\n\"disks\":[\(disks.joined(separator: ",\n"))],\n\"alerts\":[\(alerts.joined(separator: ",\n"))],\n\"watched\":\(isWatched),\"failedDeliveries\":\(failedDeliveries),\n"
      + "\"rollouts\":[\(rollouts.joined(separator: ",\n"))],\n\"retention\":[\(retention.joined(separator: ",\n"))],\n\"strangers\":{\(unattributed.joined(separator: ","))},\n"
      + "\"setAside\":\(setAside),\n\"databaseSize\":\(databaseSize)}\n"
  }

  private static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
  private static func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "null" }

  private static func devices(_ devices: [RolloutDevice]) -> String {
    "["
      + devices.map {
        object(["name": $0.name.asJSON, "state": $0.state.map { $0.name.asJSON } ?? "null", "text": $0.text.asJSON])
      }.joined(separator: ",") + "]"
  }

  private static func counts(_ counts: [String: Int64]) -> String {
    "{" + counts.sorted { $0.key < $1.key }.map { "\($0.key.asJSON):\($0.value)" }.joined(separator: ",") + "}"
  }
}
