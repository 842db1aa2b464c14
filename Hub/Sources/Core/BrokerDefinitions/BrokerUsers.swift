import Records

/// The users of a broker and their rights, as `rabbitmqctl export_definitions` prints them.
public struct BrokerUsers {
  private struct User {
    var hasPassword: Bool
    /// The patterns for configure, write and read; nil without a permission.
    var permission: [String?]?
    /// The patterns for write and read; nil without a topic permission, which permits every topic.
    var topicPermission: [String?]?
  }

  private var users: [String: User] = [:]
  /// The first number of the version of RabbitMQ; nil if the definitions do not say it.
  public let majorVersion: Int?

  /// Throws if the text is not JSON, or has no users.
  public init(definitions json: String) throws(JSONError) {
    let record = try Record(foreignJSON: json)
    majorVersion = record.text("rabbit_version").flatMap { Int($0.prefix { $0 != "." }) }
    guard case .list(let listed)? = record["users"] else { throw JSONError(offset: 0, problem: "the definitions have no users") }
    for user in listed {
      guard let name = user.text("name") else { continue }
      users[name] = User(hasPassword: user.text("password_hash") != "")
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
  }

  /// Returns the changes after which exactly the enrolled devices have users, each with its own rights and no password.
  public func changes(for devices: [DeviceLogin]) -> BrokerChanges {
    let wanted = Set(devices.map(\.name))
    var changes = BrokerChanges()
    for (name, user) in users.sorted(by: { $0.key < $1.key }) where !wanted.contains(name) {
      if name == BrokerDefinitions.hubUser {
        if user.hasPassword { changes.exposed.append(name) }
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
      if user.hasPassword || !isPermitted || user.topicPermission != [rights.topicWrite, rights.topicRead] {
        changes.outdated.append(login)
      }
      if user.hasPassword || user.permission != nil && user.topicPermission?.first != rights.topicWrite {
        changes.exposed.append(login.name)
      }
    }
    return changes
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
