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
    var values = ReportValues()
    switch outcome {
    case .exited(let code): (values.outcome, values.code) = (.exited, Int64(code))
    case .signalled(let signal): (values.outcome, values.signal) = (.signalled, Int64(signal))
    case .timedOut: values.outcome = .timedOut
    case .failed(let reason): (values.outcome, values.reason) = (.failed, reason)
    case .refused(let reason): (values.outcome, values.reason) = (.refused, reason)
    }
    values.output = output.isEmpty ? nil : output
    return values.record.json
  }

  /// Parses the output of `json`; `nil` for any other text.
  public init?(json: String) {
    do throws(JSONError) {
      let values = ReportValues(try Record(json: json))
      let outcome: Outcome? =
        switch values.outcome {
        case .exited: values.code.flatMap { Int32(exactly: $0) }.map { .exited($0) }
        case .signalled: values.signal.flatMap { Int32(exactly: $0) }.map { .signalled($0) }
        case .timedOut: .timedOut
        case .failed: values.reason.map { .failed($0) }
        case .refused: values.reason.map { .refused($0) }
        case nil: nil
        }
      guard let outcome else { return nil }
      self.init(outcome, output: values.output ?? "")
    } catch {
      return nil
    }
  }
}

/// The values of a report in JSON.
private struct ReportValues: RecordRepresentable {
  enum Outcome: String, RecordFieldValue {
    case exited, signalled, timedOut, failed, refused
  }

  var outcome: Outcome?
  var code: Int64?
  var signal: Int64?
  var reason: String?
  var output: String?

  static let fields: [RecordField<Self>] = [
    RecordField("outcome", \.outcome),
    RecordField("code", \.code),
    RecordField("signal", \.signal),
    RecordField("reason", \.reason),
    RecordField("output", \.output),
  ]
}
