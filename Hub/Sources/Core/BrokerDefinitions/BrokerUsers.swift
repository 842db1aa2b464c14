import Records

import Partitions

/// The users of a broker with their rights, and its queues, as `rabbitmqctl export_definitions` prints them.
public struct BrokerUsers {
  private struct User {
    /// Empty for a user without a password.
    var passwordHash: String?
    /// Whether the broker limits connections as this version does; true for a broker that does not print limits.
    var isLimited = true
    /// The patterns for configure, write and read; nil without a permission.
    var permission: [String?]?
    /// The patterns for write and read; nil without a topic permission, which permits every topic.
    var topicPermission: [String?]?

    var hasPassword: Bool { passwordHash != "" }
  }

  private var users: [String: User] = [:]
  private var queues: Set<String> = []
  /// The routing keys of the bindings to each queue.
  private var bindings: [String: Set<String>] = [:]
  /// The first number of the version of RabbitMQ; nil if the definitions do not say it.
  public let majorVersion: Int?

  /// Throws if the text is not JSON, or has no users.
  public init(definitions json: String) throws(JSONError) {
    let record = try Record(foreignJSON: json)
    majorVersion = record.text("rabbit_version").flatMap { Int($0.prefix { $0 != "." }) }
    guard case .list(let listed)? = record["users"] else { throw JSONError(offset: 0, problem: "the definitions have no users") }
    for user in listed {
      guard let name = user.text("name") else { continue }
      users[name] = User(passwordHash: user.text("password_hash"))
      if case .record(let limits)? = user["limits"] {
        users[name]?.isLimited = limits["max-connections"] == .count(UInt64(BrokerDefinitions.mostConnections))
      }
    }
    for permission in record.list("permissions") where permission.text("vhost") == DeviceRights.vhost {
      guard let name = permission.text("user") else { continue }
      users[name]?.permission = ["configure", "write", "read"].map(permission.text)
    }
    for permission in record.list("topic_permissions")
    where permission.text("vhost") == DeviceRights.vhost && permission.text("exchange") == DeviceRights.exchange {
      guard let name = permission.text("user") else { continue }
      users[name]?.topicPermission = ["write", "read"].map(permission.text)
    }
    for queue in record.list("queues") where queue.text("vhost") == DeviceRights.vhost {
      if let name = queue.text("name") { queues.insert(name) }
    }
    for binding in record.list("bindings")
    where binding.text("vhost") == DeviceRights.vhost && binding.text("source") == DeviceRights.exchange
      && binding.text("destination_type") == "queue"
    {
      guard let queue = binding.text("destination"), let key = binding.text("routing_key") else { continue }
      bindings[queue, default: []].insert(key)
    }
  }

  /// Returns the changes after which exactly the enrolled devices have users, each with its own rights and no password.
  ///
  /// - Parameters:
  ///   - map: The queues, which have to exist.
  ///   - password: The password of the user `hub`, the only user with one.
  public func changes(for devices: [DeviceLogin], _ map: QueueMap, _ password: HubPassword) -> BrokerChanges {
    let wanted = Set(devices.map(\.name))
    let hub = users[BrokerDefinitions.hubUser]
    let hubHash = hub?.passwordHash.flatMap { password.fits($0) ? $0 : nil }
    var changes = BrokerChanges(hubHash: hubHash ?? password.hash())
    changes.lacksHub = hubHash == nil || !hasHub(map)
    for (name, user) in users.sorted(by: { $0.key < $1.key }) where !wanted.contains(name) {
      if name == BrokerDefinitions.hubUser {
        if user.hasPassword, hubHash == nil { changes.exposed.append(name) }
      } else if DeviceLogin(name: name) != nil {
        changes.surplus.append(name)
      } else if user.hasPassword, user.permission != nil {
        changes.strangers.append(name)
      }
    }
    for login in devices {
      let rights = DeviceRights(of: login.device)
      guard let user = users[login.name] else {
        changes.missing.append(login)
        continue
      }
      let isPermitted = user.permission == [rights.configure, rights.write, rights.read]
      if user.hasPassword || !user.isLimited || !isPermitted || user.topicPermission != [rights.topicWrite, rights.topicRead] {
        changes.outdated.append(login)
      }
      if user.hasPassword || user.permission != nil && user.topicPermission?.first != rights.topicWrite {
        changes.exposed.append(login.name)
      }
    }
    return changes
  }

  /// Whether the broker has the queues with their bindings, and the user of the workers with its rights.
  private func hasHub(_ map: QueueMap) -> Bool {
    users[BrokerDefinitions.hubUser]?.permission == BrokerDefinitions.hubRights
      && (0..<map.queues).allSatisfy { queue in
        let name = QueueMap.name(ofQueue: queue)
        return queues.contains(name) && bindings[name, default: []].isSuperset(of: map.patterns(ofQueue: queue))
      }
  }
}

extension Record {
  fileprivate func text(_ key: String) -> String? {
    guard case .text(let text)? = self[key] else { return nil }
    return text
  }

  fileprivate func list(_ key: String) -> [Record] {
    guard case .list(let list)? = self[key] else { return [] }
    return list
  }
}
