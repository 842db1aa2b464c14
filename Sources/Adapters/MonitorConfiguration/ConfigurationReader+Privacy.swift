import ConfigurationTree
import Consent

extension ConfigurationReader {
  /// Reads the privacy rules, and returns the valid ones in the order of the file.
  static func consentRules(_ table: consuming TableReader) -> [ConsentRule] {
    var rules: [ConsentRule] = []
    for var rule in table.tables("rule", called: "privacy rule", TableSeries(isLastFileFirst: true)) {
      let user = rule.read("user", as: .text(example: "kiosk"))
      let group = rule.read("group", as: .text(example: "staff"))
      let authorization = rule.require("allow", as: .allowance)
      if let user { rule.refer("user", to: .user(user)) }
      if let group { rule.refer("group", to: .group(group)) }
      if user != nil, group != nil {
        rule.report("group", "cannot be combined with user; a rule has one of them, or neither to match everybody")
      } else if let authorization {
        rules.append(ConsentRule(user.map { .user($0) } ?? group.map { .group($0) } ?? .everyone, authorization))
      }
      rule.finish()
    }
    table.finish()
    return rules
  }
}

extension ValueDecoder where Value == Authorization {
  fileprivate static var allowance: ValueDecoder {
    ValueDecoder(.choice(["never", "when-in-use", "always"])) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "when-in-use").decode(node)
      switch text {
      case "never": return .denied
      case "when-in-use": return .whenInUse
      case "always": return .always
      default: throw DecodingIssue("\(text.quoted) is not a permission; write \"never\", \"when-in-use\" or \"always\"")
      }
    }
  }
}
