extension MetricSet {
  /// The type of `text` in an HTTP answer.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics in the text format 0.0.4 of Prometheus.
  public var text: String {
    var text = ""
    for family in families {
      text += "# HELP \(family.name) \(Self.escaped(help: family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += family.name
        if !sample.labels.isEmpty {
          text += "{" + sample.labels.map { "\($0.name)=\"\(Self.escaped(label: $0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(Self.number(sample.value))\n"
      }
    }
    return text
  }

  /// Returns a number as Go writes it: whole numbers without a fraction, and `NaN`, `+Inf` or `-Inf`.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    // Doubles are exact up to 2^53.
    if value == value.rounded(), value.magnitude < 9_007_199_254_740_992 { return "\(Int64(value))" }
    return "\(value)"
  }

  private static func escaped(help: String) -> String {
    String(help.flatMap { $0 == "\\" ? "\\\\" : $0.isNewline ? "\\n" : "\($0)" })
  }

  /// Returns the value of a label with escaped quotation marks, line ends and backslashes.
  private static func escaped(label: String) -> String {
    guard label.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else { return label }
    var text = ""
    for scalar in label.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
