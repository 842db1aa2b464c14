import FleetMessages

/// The rules for the host name of a node in its certificate.
public enum NodeName {
  /// Returns why a text is not a host name; nil if it is one.
  ///
  /// Other characters would have a meaning in the settings of openssl.
  public static func fault(of text: String) -> String? {
    let isValid = !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || FleetAddress.isName("a" + String(UnicodeScalar($0))) }
    return isValid ? nil : "\"\(text)\" is not a host name; write one such as broker1.example"
  }

  /// Returns why the certificate of a node cannot have files with its name; nil if it can.
  public static func fault(ofFiles name: String) -> String? {
    let owner =
      switch name {
      case "ca": "authority"
      case "hub": "workers"
      default: ""
      }
    guard !owner.isEmpty else { return nil }
    return "\"\(name)\" is the name of the files of the \(owner); begin with another name of the node, such as its full host name"
  }
}
