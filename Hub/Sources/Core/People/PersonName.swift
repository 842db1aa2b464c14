/// The rules for names and passwords of people.
public enum PersonName {
  public static let longest = 64

  /// Returns why a text is not a name of a person; nil if it is one.
  ///
  /// A proxy often names people by their mail addresses.
  public static func fault(of text: String) -> String? {
    guard (1...longest).contains(text.utf8.count) else { return "a name has 1 to \(longest) characters" }
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || "-._@+".utf8.contains($0)
    }
    return isPlain && text.utf8.first != UInt8(ascii: "-") ? nil : "a name has letters, digits and -._@+, and begins with no hyphen"
  }
}

/// The rules for a new password (NIST SP 800-63B, 5.1.1.2).
public enum NewPassword {
  /// The shortest and the longest password in octets. A longer text costs time before it is hashed.
  public static let (shortest, longest) = (12, 256)

  /// Returns why a text is not a new password of a person; nil if it is one.
  public static func fault(of text: String, person: String) -> String? {
    guard text.utf8.count >= shortest else { return "a password has at least \(shortest) characters" }
    guard text.utf8.count <= longest else { return "a password has at most \(longest) octets" }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return "a password has no control characters" }
    guard Set(text).count >= 5 else { return "the password repeats few characters" }
    guard !text.lowercased().contains(person.lowercased()) || person.count < 3 else {
      return "the password contains the name of the person"
    }
    return nil
  }
}
