import Diagnosis
import Records

/// The output of `beaconmon doctor` for a person.
public struct DiagnosisText: Sendable {
  private let style: TerminalStyle
  private let width: Int?

  private static let verdictWidth = 9
  private static let indent = verdictWidth + 14

  /// - Parameter width: columns of the window; nil for lines of any width.
  public init(style: TerminalStyle, width: Int? = nil) {
    self.style = style
    self.width = width
  }

  /// Returns a line for each finding, its command below it, and a summary.
  public func text(_ diagnosis: Diagnosis) -> String {
    let findings = diagnosis.findings ?? []
    return (findings.flatMap(lines) + ["", summary(findings)]).joined(separator: "\n")
  }

  private func lines(_ finding: Finding) -> [String] {
    let verdict = (finding.verdict?.rawValue ?? "unknown").padded(Self.verdictWidth)
    let name = (finding.check?.rawValue ?? style.dash).padded(Self.indent - Self.verdictWidth)
    let text = (finding.text ?? "").printable.wrapped(width, indent: Self.indent, taken: Self.indent)
    var lines = [style.emphasise(verdict, emphasis(finding.verdict)) + style.emphasise(name, .faint) + (text.first ?? "")]
    lines += text.dropFirst()
    return lines + (finding.command.map { command($0.printable) } ?? [])
  }

  private func emphasis(_ verdict: Finding.Verdict?) -> TerminalStyle.Emphasis? {
    switch verdict {
    case .ok: .green
    case .warning, .fault: .bold
    case .unknown, nil: .faint
    }
  }

  /// Returns a command in lines that a shell reads as one.
  private func command(_ command: String) -> [String] {
    guard let width else { return [String(repeating: " ", count: Self.indent) + command] }
    let words = command.split(separator: " ").map(String.init)
    // A window without room for the longest path begins further left. A line may continue with two blanks, and end with " && ".
    let indent = min(Self.indent, max(0, width - (words.map(\.columns).max() ?? 0) - 5))
    var lines: [String] = []
    for word in words {
      guard let last = lines.last, !last.hasSuffix("&&") else {
        lines.append(word)
        continue
      }
      if word == "&&" || last.columns + word.columns + 4 <= width - indent {
        lines[lines.count - 1] += " " + word
      } else {
        lines[lines.count - 1] += " \\"
        lines.append("  " + word)
      }
    }
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }

  /// Returns `1 fault, 2 warnings`, or that nothing is wrong.
  private func summary(_ findings: [Finding]) -> String {
    let counts = [(Finding.Verdict.fault, "fault"), (.warning, "warning"), (.unknown, "fact")].compactMap { verdict, noun -> String? in
      let count = findings.count { $0.verdict == verdict }
      guard count > 0 else { return nil }
      return Count.text(count, noun) + (verdict == .unknown ? " unknown" : "")
    }
    let isGood = !findings.contains { $0.verdict == .fault || $0.verdict == .warning }
    return ((isGood ? ["nothing is wrong"] : []) + counts).joined(separator: ", ")
  }
}
