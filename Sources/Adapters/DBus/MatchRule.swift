/// A selection of signals: all that match every field that is set.
public struct MatchRule: Hashable, Sendable {
  /// The sender's name, unique or well-known.
  /// A well-known name means its owner at the time; no other connection can impersonate it.
  public var sender: String?
  public var path: String?
  /// A path that matches itself and everything below it.
  public var pathNamespace: String?
  public var interface: String?
  public var member: String?
  /// The first argument, if it is a string.
  public var argument0: String?

  public init(
    sender: String? = nil, path: String? = nil, pathNamespace: String? = nil, interface: String? = nil, member: String? = nil,
    argument0: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.argument0 = argument0
  }

  /// The rule as AddMatch takes it (D-Bus specification, "Match Rules").
  public var text: String {
    let fields = [
      ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface), ("member", member),
      ("arg0", argument0),
    ]
    return (["type='signal'"] + fields.compactMap { name, value in value.map { "\(name)=\(Self.quoted($0))" } }).joined(separator: ",")
  }

  /// Returns whether every field except the sender matches.
  func matches(_ signal: DBusMessage) -> Bool {
    if let member, signal.member != member { return false }
    if let interface, signal.interface != interface { return false }
    if let path, signal.path != path { return false }
    if let pathNamespace, !(signal.path ?? "").isPath(under: pathNamespace) { return false }
    if let argument0, signal.arguments.first?.plainString != argument0 { return false }
    return true
  }

  /// Quotes a value.
  /// Inside quotes, each character stands for itself, and a quote cannot occur. Outside, a backslash keeps a quote from opening them.
  private static func quoted(_ value: String) -> String {
    "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

extension String {
  /// Returns whether the path is `root` or below it.
  func isPath(under root: String) -> Bool {
    root == "/" || self == root || hasPrefix(root + "/")
  }
}

extension DBusValue {
  /// The text of a plain string: arg0 matches no object paths and no strings inside a variant.
  fileprivate var plainString: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
