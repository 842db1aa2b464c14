/// Replaces what identifies a person or gives access in a report for support.
///
/// Bluetooth and IP addresses become authentication codes, so that equal ones stay equal within the report. The key is lost with this
/// value, so that no code can be traced to its address.
public struct ReportRedaction {
  private let code: (String) -> String

  /// - Parameter code: returns a code of an address by a random key.
  public init(_ code: @escaping (String) -> String) {
    self.code = code
  }

  /// Returns the text with codes for addresses, without the arguments of commands and the paths of web addresses.
  public func redacted(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in words(withoutPaths(withoutArguments(line) ?? line)) }
      .joined(separator: "\n")
  }

  /// Returns a line whose web addresses end after the host. Their users, paths and queries may be secrets.
  private func withoutPaths(_ line: Substring) -> Substring {
    var (result, rest) = (Substring(), line)
    while let scheme = rest.firstRange(of: "://") {
      result += rest[..<scheme.upperBound]
      let address = rest[scheme.upperBound...].prefix { !$0.isWhitespace && !"\"'<>".contains($0) }
      let authority = address.prefix { !["/", "?", "#"].contains($0) }
      result += authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
      let path = address.dropFirst(authority.count)
      result += path.allSatisfy { $0 == "/" } ? path : "/(hidden)"
      rest = rest[address.endIndex...]
    }
    return result + rest
  }

  /// Returns a line of TOML such as `command = ["/usr/bin/x", "…"]` without the arguments; nil for any other line.
  ///
  /// The program remains. Arguments may be passwords.
  private func withoutArguments(_ line: Substring) -> Substring? {
    let key = "command = ["
    guard line.hasPrefix(key), let comma = line.firstIndex(of: ",") else { return nil }
    let comment = line.ranges(of: "]  # ").last.map { line[$0.upperBound...] }
    return line[..<comma] + ", \"(hidden)\"]" + (comment.map { "  # " + $0 } ?? "")
  }

  private func words(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let first = rest.first {
      guard Self.isAddressPart(first) else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      let word = rest.prefix(while: Self.isAddressPart)
      rest = rest.dropFirst(word.count)
      // A full stop or a colon at the end belongs to the sentence.
      let isSentence = !word.hasSuffix("::") || !Self.isIPv6(word.split(separator: ":", omittingEmptySubsequences: false))
      let address = isSentence ? String(word.reversed().drop { $0 == "." || $0 == ":" }.reversed()) : String(word)
      let end = word.suffix(word.count - address.count)
      result += replaced(address) + end
    }
    return result
  }

  private static func isAddressPart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || [".", ":", "_", "-"].contains(character))
  }

  private func replaced(_ word: String) -> String {
    if let address = Self.bluetoothAddress(in: word), let range = word.firstRange(of: address) {
      return word[..<range.lowerBound] + "bluetooth-\(code(Self.canonical(address)))" + replaced(String(word[range.upperBound...]))
    }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    if parts.contains(where: { Self.isIPv4(String($0)) }) {
      return parts.map { Self.isIPv4(String($0)) ? "ip-\(code(String($0)))" : String($0) }.joined(separator: ":")
    }
    return Self.isIPv6(parts) ? "ip-\(code(word.lowercased()))" : word
  }

  private static func canonical(_ address: String) -> String { String(address.uppercased().map { $0 == "_" || $0 == "-" ? ":" : $0 }) }

  /// Returns six pairs of hexadecimal digits between `:`, `_` or `-` in a word; nil if there are none.
  private static func bluetoothAddress(in word: String) -> String? {
    let characters = Array(word)
    guard characters.count >= 17 else { return nil }
    for start in 0...(characters.count - 17) {
      let part = characters[start..<start + 17]
      let separator = part[start + 2]
      guard [":", "_", "-"].contains(separator) else { continue }
      let fits = part.enumerated().allSatisfy { $0.offset % 3 == 2 ? $0.element == separator : $0.element.isHexDigit }
      let isWhole =
        (start == 0 || !characters[start - 1].isHexDigit)
        && (start + 17 == characters.count || !characters[start + 17].isHexDigit)
      if fits, isWhole { return String(part) }
    }
    return nil
  }

  private static func isIPv4(_ word: String) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { !$0.isEmpty && $0.count <= 3 && $0.allSatisfy(\.isNumber) && (Int($0) ?? 256) < 256 }
  }

  /// Returns whether the parts of a word are an IPv6 address such as `fe80::1`, not a time of the day.
  private static func isIPv6(_ parts: [Substring]) -> Bool {
    guard (3...8).contains(parts.count), parts.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHexDigit) }) else { return false }
    return parts.count == 8 || parts.dropFirst().dropLast().contains(where: \.isEmpty)
  }
}
