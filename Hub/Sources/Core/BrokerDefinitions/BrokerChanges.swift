import Partitions
import Records

/// The difference between the users of a broker and those that a fleet needs.
public struct BrokerChanges: Hashable, Sendable {
  /// The users whose name is a common name, but not that of a present enrolment.
  public internal(set) var surplus: [String] = []
  /// The devices without a user.
  public internal(set) var missing: [DeviceLogin] = []
  /// The devices whose user has a password, or other rights, such as those of an earlier version.
  public internal(set) var outdated: [DeviceLogin] = []
  /// Users of the fleet whose connections must end.
  ///
  /// These are devices with a password or with the right to publish as another one, and the user `hub` with another password.
  public internal(set) var exposed: [String] = []
  /// Other users that can publish as every device with their password.
  public internal(set) var strangers: [String] = []
  /// Whether a queue, a binding, or the user of the workers, its password or its rights are missing.
  public internal(set) var lacksHub = false
  /// The hash of the hub's password: that of the broker if it is right.
  let hubHash: String

  init(hubHash: String) { self.hubHash = hubHash }

  /// The users that the broker deletes, which ends their connections.
  public var deleted: [String] { surplus + exposed }

  /// The definitions that the broker imports after the deletions, in their order.
  ///
  /// - Parameter majorVersion: the first number of the version of RabbitMQ; nil if it is unknown
  public func imports(_ map: QueueMap, majorVersion: Int?) -> [String] {
    let devices = missing + outdated
    guard lacksHub || !devices.isEmpty else { return [] }
    return BrokerDefinitions(map: map, devices: devices, hubHash: hubHash, majorVersion: majorVersion).steps
  }
}

extension BrokerChanges {
  /// The changes and the warnings in words.
  ///
  /// - Parameter command: The command that changes the users of the broker, such as `sudo rabbitmqctl`.
  public func lines(command: String) -> [String] {
    var lines = missing.map { "added user \($0.name)" }
    if !outdated.isEmpty { lines.append("changed the rights of \(Count.text(outdated.count, "user")) to those of this version") }
    lines += surplus.map { "removed user \($0)" }
    lines += exposed.map { name in
      let isHub = name == BrokerDefinitions.hubUser
      let reason = isHub ? "had another password than that of the settings" : "had a password, or could publish as another device"
      return "warning: user \(name) \(reason); its connections were ended"
    }
    return lines
      + strangers.map {
        "warning: the user \"\($0)\" can publish as every device with its password; delete it with \"\(command) delete_user \($0)\""
      }
  }
}
