internal import CFaultVFS
internal import CSQLite

/// A failure of the disk, or of memory, at one operation of an hour of use.
public struct Fault: Sendable, CustomStringConvertible {
  public enum Operation: UInt32, CaseIterable, Sendable { case read, write, sync, truncate }

  public enum Cause: String, CaseIterable, Sendable {
    case ioError = "IOERR"
    case full = "FULL"
    case corrupt = "CORRUPT"
    case noMemory = "NOMEM"
  }

  public var operation: Operation
  /// The number of the operation that fails, from 1; 0 only counts operations.
  public var number: Int
  public var cause: Cause
  /// Whether all later operations of the kind fail too, until `end`.
  public var isPersistent: Bool
  /// Whether a failing write has written its first half.
  public var isShort: Bool
  /// Whether the process is killed in the middle of the hour; otherwise it ends in order.
  public var crashes: Bool

  public init(
    _ operation: Operation, _ number: Int, _ cause: Cause, isPersistent: Bool = false, isShort: Bool = false, crashes: Bool = false
  ) {
    (self.operation, self.number, self.cause) = (operation, number, cause)
    (self.isPersistent, self.isShort, self.crashes) = (isPersistent, isShort, crashes)
  }

  public var description: String {
    "\(operation) \(number) \(cause.rawValue)\(isPersistent ? ", and all later ones" : "")\(isShort ? ", half written" : "")\(crashes ? ", killed in the middle" : "")"
  }

  /// Creates the fault of a description; nil for any other text.
  public init?(description: String) {
    let parts = description.split(separator: ", ")
    let words = (parts.first ?? "").split(separator: " ").map(String.init)
    guard words.count == 3, let operation = Operation.allCases.first(where: { "\($0)" == words[0] }), let number = Int(words[1]),
      let cause = Cause(rawValue: words[2])
    else { return nil }
    self.init(
      operation, number, cause, isPersistent: parts.contains("and all later ones"), isShort: parts.contains("half written"),
      crashes: parts.contains("killed in the middle"))
    if self.description != description { return nil }
  }

  /// The number of operations of each kind in an hour without a failure.
  public struct Counts: Sendable {
    public var numbers: [Operation: Int] = [:]

    public init(_ text: String) {
      for (operation, number) in zip(Operation.allCases, text.split(separator: " ")) { numbers[operation] = Int(number) }
    }
  }

  /// Installs the failing VFS in front of the default one, for this process and its children.
  public static func prepare() -> Bool { fault_vfs_register() == SQLITE_OK }

  /// Starts counting: the next operation is number 1.
  func begin() {
    let code =
      switch (cause, operation) {
      case (.ioError, .read): SQLITE_IOERR | 1 << 8
      case (.ioError, .write): SQLITE_IOERR | 3 << 8
      case (.ioError, .sync): SQLITE_IOERR | 4 << 8
      case (.ioError, .truncate): SQLITE_IOERR | 6 << 8
      case (.full, _): SQLITE_FULL
      case (.corrupt, _): SQLITE_CORRUPT
      // The code of the unix VFS: https://sqlite.org/rescode.html#ioerr_nomem
      case (.noMemory, _): SQLITE_IOERR | 12 << 8
      }
    fault_vfs_arm(fault_operation(operation.rawValue), Int32(number), code, isPersistent ? 1 : 0, isShort ? 1 : 0)
  }

  /// Lets every operation succeed again.
  static func end() { fault_vfs_disarm() }

  /// The counts since `begin`, for `Counts`.
  static var counts: String { Operation.allCases.map { String(fault_vfs_count(fault_operation($0.rawValue))) }.joined(separator: " ") }
}

/// A stored file whose program can be tested while its disk fails.
public protocol FaultyFile: StoredFile {
  /// Uses the file for an hour of the program's own time during `fault`, and compares it with the acknowledged changes.
  ///
  /// The program restarts in the middle. After the hour the disk works again, and the program restarts before the comparison.
  ///
  /// - Parameter folder: An existing, empty folder.
  func playHour(in folder: String, _ fault: Fault) throws -> Verdict
}

extension FaultyFile {
  /// Plays an hour, and reports the operations that it took.
  public func play(in folder: String, _ fault: Fault, report: (String) -> Void) throws -> Verdict {
    let verdict = try playHour(in: folder, fault)
    report(Fault.counts)
    return verdict
  }

  /// Returns the folder for the next process: the same, or a copy of it while the first process still runs.
  func restartFolder(_ folder: String, _ fault: Fault) throws -> String {
    guard fault.crashes else { return folder }
    let copy = "\(folder)/after-the-crash"
    try Files.makeFolder(copy)
    for name in try Files.names(folder) where name != "after-the-crash" {
      try Files.write(try Files.read("\(folder)/\(name)"), to: "\(copy)/\(name)")
    }
    return copy
  }
}
