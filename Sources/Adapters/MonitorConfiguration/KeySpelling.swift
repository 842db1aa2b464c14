/// The spelling of keys in the input. The readers use the spelling of the file.
enum KeySpelling {
  /// `exit-delay`, as in a file.
  case kebab
  /// `exitDelay`, as on the bus.
  case camel

  func callAsFunction(_ key: String) -> String {
    switch self {
    case .kebab: return key
    case .camel:
      let words = key.split(separator: "-")
      return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
  }
}
