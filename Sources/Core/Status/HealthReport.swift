import Beacons
import Locations
import RadioHealth
import Records

/// Whether a program does its work, in one word with the reasons, for monitoring systems.
public struct HealthReport: RecordRepresentable, Hashable {
  public enum State: String, CaseIterable, Sendable, RecordFieldValue {
    case ok
    /// The program works, but not as configured, or with less protection against losses.
    case degraded
    /// The program does not do its work.
    case failed
  }

  /// A reason for a state other than `ok`.
  public struct Problem: RecordRepresentable, Hashable {
    public enum Kind: String, CaseIterable, Sendable, RecordFieldValue {
      /// No beacon can be received.
      case source
      case adapter
      case location
      case journal
      case configuration
      /// The file of decisions about users.
      case consent
      /// The wall clock is not synchronised.
      case clock
      /// A beacon of this machine is not advertised.
      case advertising
      /// Deliveries wait for a long time, or their file fails.
      case outbox
      /// The notifier does not reach the daemon, or a command does not reach it.
      case daemon
    }

    public var kind: Kind?
    /// The problem and its remedy.
    public var note: String?

    public init() {}

    public init(_ kind: Kind, _ note: String) {
      (self.kind, self.note) = (kind, note)
    }

    public static let fields: [RecordField<Self>] = [
      RecordField("kind", \.kind),
      RecordField("note", \.note),
    ]
  }

  public var state: State? = .ok
  /// The reasons, the most severe ones first; nil if there are none.
  public var problems: [Problem]?

  public init() {}

  /// Creates the health of a daemon that does not answer: it has failed.
  public init(unreachable reason: String) {
    add(.daemon, .failed, reason)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("health", \.state),
    RecordField("problems", \.problems),
  ]

  /// Adds a problem.
  ///
  /// - Parameter state: the state that the problem causes; a more severe one is kept.
  public mutating func add(_ kind: Problem.Kind, _ state: State, _ note: String) {
    let problem = Problem(kind, note)
    if state == .failed, self.state != .failed {
      self.state = .failed
      problems = [problem] + (problems ?? [])
    } else {
      if self.state == .ok { self.state = state }
      problems = (problems ?? []) + [problem]
    }
  }

  /// Removes the problems of a kind; the state becomes `ok` if no other problem remains.
  public mutating func remove(_ kind: Problem.Kind) {
    problems?.removeAll { $0.kind == kind }
    guard problems?.isEmpty == true else { return }
    problems = nil
    state = .ok
  }

  /// One line: `ok`, or `degraded: adapter: hci0 is blocked; clock: …`.
  public var line: String {
    let notes = (problems ?? []).map { "\($0.kind?.rawValue ?? "unknown"): \($0.note ?? "no reason")" }
    return (state?.rawValue ?? "unknown") + (notes.isEmpty ? "" : ": ") + notes.joined(separator: "; ")
  }

  /// The number of problems of each kind, including those without any.
  public var problemCounts: [(kind: Problem.Kind, count: Int)] {
    Problem.Kind.allCases.map { kind in (kind, (problems ?? []).count { $0.kind == kind }) }
  }
}

extension HealthReport {
  /// Judges the status of a daemon.
  ///
  /// - Parameter isClockSynchronised: nil if it is unknown.
  public init(_ status: MonitorStatus, isClockSynchronised: Bool?) {
    self.init()
    judge(status.source)
    for missing in status.missingCapabilities ?? [] { add(.configuration, .degraded, "requires \(missing.text)") }
    for adapter in status.adapters ?? [] { judge(adapter) }
    for source in status.locationSources ?? [] { judge(source) }
    if let note = status.journal.note { add(.journal, .degraded, note) }
    if let refused = status.refusedReload {
      add(.configuration, .degraded, "the last reload was refused: \(refused.reason ?? "unknown reason")")
    }
    if let note = status.configuration?.rolloutNote { add(.configuration, .degraded, "a rollout is not in use: \(note)") }
    if let note = status.locationServices.note { add(.consent, .degraded, note) }
    for beacon in status.advertisements ?? [] where beacon.state == .waiting {
      let name = "\(beacon.major.map { "\($0)" } ?? "?")/\(beacon.minor.map { "\($0)" } ?? "?")"
      add(.advertising, .degraded, "beacon \(name) is not advertised" + (beacon.note.map { ": \($0)" } ?? ""))
    }
    if isClockSynchronised == false { add(.clock, .degraded, "the clock is not synchronised, so times of events may be wrong") }
  }

  /// Judges the status of a daemon on this machine.
  ///
  /// - Parameter isMachineSynchronised: whether the clock of this machine is synchronised; nil if it is unknown.
  public init(_ status: MonitorStatus, isMachineSynchronised: Bool?) {
    // A played recording has its own clock.
    let isPlayed = ["capture:", "simulator:"].contains { status.source.name?.hasPrefix($0) == true }
    self.init(status, isClockSynchronised: isPlayed ? nil : isMachineSynchronised)
  }

  private mutating func judge(_ source: SourceStatus) {
    switch source.state {
    case .gone: add(.source, .failed, source.note ?? "no beacon can be received")
    case .scanning, .paused, .idle, .nothing, nil: break
    }
  }

  private mutating func judge(_ adapter: AdapterStatus) {
    switch adapter.state {
    case .silent, .off, .blocked, .gone:
      let name = adapter.name ?? adapter.address?.description ?? "an adapter"
      add(.adapter, .degraded, "\(name) is \(adapter.state?.rawValue ?? "unknown")" + (adapter.note.map { ": \($0)" } ?? ""))
    case .scanning, .paused, .idle, nil: break
    }
  }

  private mutating func judge(_ source: LocationSourceStatus) {
    switch source.state {
    case .gone, .denied: add(.location, .degraded, "\(source.source ?? "a source"): \(source.note ?? "unavailable")")
    case .off, .starting, .fixing, .silent, .away, nil: break
    }
  }
}
