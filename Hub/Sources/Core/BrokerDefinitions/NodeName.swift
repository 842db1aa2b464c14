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
}
