/// Which signals to receive: all that agree with every field that is set.
public struct MatchRule: Hashable, Sendable {
  /// Unique or well-known. A well-known name means whoever owns it at the time; nobody else can pretend to.
  public var sender: String?
  public var path: String?
  /// This path and everything below it.
  public var pathNamespace: String?
  public var interface: String?
  public var member: String?
  /// The first argument, when it is a string.
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

  /// As AddMatch takes it (D-Bus specification, "Match Rules").
  public var text: String {
    let fields = [
      ("sender", sender), ("path", path), ("path_namespace", pathNamespace), ("interface", interface), ("member", member),
      ("arg0", argument0),
    ]
    return (["type='signal'"] + fields.compactMap { name, value in value.map { "\(name)=\(Self.quoted($0))" } }).joined(separator: ",")
  }

  /// Everything but the sender.
  func matches(_ signal: DBusMessage) -> Bool {
    if let member, signal.member != member { return false }
    if let interface, signal.interface != interface { return false }
    if let path, signal.path != path { return false }
    if let pathNamespace, !(signal.path ?? "").isPath(under: pathNamespace) { return false }
    if let argument0, signal.arguments.first?.plainString != argument0 { return false }
    return true
  }

  /// Inside quotes everything is itself, and a quote cannot stand there; outside, a backslash keeps it from opening one.
  private static func quoted(_ value: String) -> String {
    "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

extension String {
  /// Itself or below it.
  func isPath(under root: String) -> Bool {
    root == "/" || self == root || hasPrefix(root + "/")
  }
}

extension DBusValue {
  /// arg0 matches strings only, not object paths and not what is inside a variant.
  fileprivate var plainString: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
