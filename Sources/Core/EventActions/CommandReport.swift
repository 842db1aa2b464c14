import Records

/// The result of a command, or the reason why it did not run.
public struct CommandReport: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case exited(Int32)
    /// Ended by a signal, by number.
    case signalled(Int32)
    /// Exceeded its timeout.
    case timedOut
    /// Did not run; a retry may succeed.
    case failed(String)
    /// Did not run; a retry cannot succeed.
    case refused(String)
  }

  /// The maximum size of a report as a line, in octets, with the command's output.
  public static let largest = 65_536

  public let outcome: Outcome
  /// The end of the command's output.
  public let output: String

  public init(_ outcome: Outcome, output: String = "") {
    self.outcome = outcome
    self.output = output
  }

  /// The report as one line of JSON without a line end.
  public var json: String {
    let (name, key, value): (String, String, RecordValue?) =
      switch outcome {
      case .exited(let code): ("exited", "code", .integer(Int64(code)))
      case .signalled(let signal): ("signalled", "signal", .integer(Int64(signal)))
      case .timedOut: ("timedOut", "code", nil)
      case .failed(let reason): ("failed", "reason", .text(reason))
      case .refused(let reason): ("refused", "reason", .text(reason))
      }
    return Record(["outcome": .text(name), key: value, "output": output.isEmpty ? nil : .text(output)]).json
  }

  /// Parses the output of `json`; `nil` for any other text.
  public init?(json: String) {
    do throws(JSONError) {
      let record = try Record(json: json)
      let reason = record["reason"]?.text
      let outcome: Outcome? =
        switch record["outcome"]?.text {
        case "exited": record["code"]?.number.flatMap(Int32.init(exactly:)).map { .exited($0) }
        case "signalled": record["signal"]?.number.flatMap(Int32.init(exactly:)).map { .signalled($0) }
        case "timedOut": .timedOut
        case "failed": reason.map { .failed($0) }
        case "refused": reason.map { .refused($0) }
        default: nil
        }
      guard let outcome else { return nil }
      self.init(outcome, output: record["output"]?.text ?? "")
    } catch {
      return nil
    }
  }
}
