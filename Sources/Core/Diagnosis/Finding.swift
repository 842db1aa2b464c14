import Records

/// One result of a diagnosis: a fact, whether it matters, and the command that corrects it.
public struct Finding: RecordRepresentable, Hashable {
  /// The subjects of a diagnosis, in the order of the output.
  public enum Check: String, CaseIterable, Sendable, RecordFieldValue {
    case kernel
    case adapter
    case firmware
    case rfkill
    case bluetoothd
    case bus
    case daemon
    /// The permission of this user to call the daemon.
    case access
    case reception
    case capabilities
    /// Other programs that scan.
    case scanners
    case wifi
    case clock
    case disk
    case config
    case notifier
    case target
    case version
  }

  public enum Verdict: String, CaseIterable, Sendable, RecordFieldValue, Comparable {
    case ok
    /// The fact could not be read, or does not apply; the finding does not count.
    case unknown
    /// beaconmon works, but not as well as it could, or not as configured.
    case warning
    /// beaconmon does not work.
    case fault

    public static func < (a: Verdict, b: Verdict) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  public var check: Check?
  public var verdict: Verdict?
  /// One sentence without a full stop.
  public var text: String?
  /// The shell command that corrects a fault; nil if there is none, or a person must do something else.
  public var command: String?

  public init() {}

  public init(_ check: Check, _ verdict: Verdict, _ text: String, command: String? = nil) {
    (self.check, self.verdict, self.text, self.command) = (check, verdict, text, command)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("check", \.check),
    RecordField("verdict", \.verdict),
    RecordField("text", \.text),
    RecordField("command", \.command),
  ]
}

/// All findings of a machine, and the worst verdict among them.
public struct Diagnosis: RecordRepresentable, Hashable {
  public var verdict: Finding.Verdict?
  public var findings: [Finding]?

  public init() {}

  /// Sorts the findings by their subjects; those of one subject keep their order.
  public init(_ findings: [Finding]) {
    let order = Dictionary(uniqueKeysWithValues: Finding.Check.allCases.enumerated().map { ($1, $0) })
    func rank(_ finding: Finding) -> Int { finding.check.flatMap { order[$0] } ?? order.count }
    self.findings = findings.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    let worst = findings.compactMap(\.verdict).max() ?? .ok
    verdict = worst == .unknown ? .ok : worst
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("verdict", \.verdict),
    RecordField("findings", \.findings),
  ]
}
