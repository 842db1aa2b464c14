/// Returns the introspection document of one object: its interfaces, then the names of its children.
/// The document follows the DTD of the D-Bus specification, "Introspection Data Format".
func introspectionXML(_ interfaces: [DBusInterface], children: [String]) -> String {
  let header = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>

    """
  return header + interfaces.map(\.introspectionXML).joined() + children.map { " <node name=\"\($0)\"/>\n" }.joined() + "</node>\n"
}

// Names and types were checked at export, and none of their characters needs escaping, except in the names of arguments.
extension DBusInterface {
  fileprivate var introspectionXML: String {
    let members = methods.map(\.introspectionXML) + signals.map(\.introspectionXML) + properties.map(\.introspectionXML)
    return element(" ", "interface", "name=\"\(name)\"", members)
  }
}

extension DBusMethod {
  fileprivate var introspectionXML: String {
    let arguments = inputs.map { $0.introspectionXML(direction: "in") } + outputs.map { $0.introspectionXML(direction: "out") }
    return element("  ", "method", "name=\"\(name)\"", arguments)
  }
}

extension DBusSignal {
  fileprivate var introspectionXML: String {
    element("  ", "signal", "name=\"\(name)\"", arguments.map { $0.introspectionXML(direction: nil) })
  }
}

extension DBusProperty {
  fileprivate var introspectionXML: String {
    let annotation = "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(change.rawValue)\"/>\n"
    // A missing annotation means "true".
    return element(
      "  ", "property", "name=\"\(name)\" type=\"\(signature)\" access=\"read\"", change == .value ? [] : [annotation])
  }
}

extension DBusArgument {
  fileprivate func introspectionXML(direction: String?) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "   <arg name=\"\(escaped(name))\" type=\"\(signature)\"\(direction)/>\n"
  }
}

private func element(_ indent: String, _ name: String, _ attributes: String, _ content: [String]) -> String {
  content.isEmpty
    ? "\(indent)<\(name) \(attributes)/>\n"
    : "\(indent)<\(name) \(attributes)>\n\(content.joined())\(indent)</\(name)>\n"
}

private func escaped(_ text: String) -> String {
  text.map { character in
    switch character {
    case "&": "&amp;"
    case "<": "&lt;"
    case "\"": "&quot;"
    default: String(character)
    }
  }.joined()
}
