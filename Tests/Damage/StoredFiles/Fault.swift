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
  /// Which of them fails, from 1; 0 lets everything succeed and only counts.
  public var number: Int
  public var cause: Cause
  /// All later ones of the kind fail too, until `end`.
  public var isPersistent: Bool
  /// A write that fails has written its first half.
  public var isShort: Bool
  /// In the middle of the hour the process is killed; otherwise it ends in order.
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

  /// The fault of that description; nil for another text.
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

  /// The operations of each kind of an hour in which nothing fails.
  public struct Counts: Sendable {
    public var numbers: [Operation: Int] = [:]

    public init(_ text: String) {
      for (operation, number) in zip(Operation.allCases, text.split(separator: " ")) { numbers[operation] = Int(number) }
    }
  }

  /// Puts the VFS that fails in front of the default one, for this process and its children.
  public static func prepare() -> Bool { fault_vfs_register() == SQLITE_OK }

  /// Begins: the next operation is number 1.
  func begin() {
    let code =
      switch (cause, operation) {
      case (.ioError, .read): SQLITE_IOERR | 1 << 8
      case (.ioError, .write): SQLITE_IOERR | 3 << 8
      case (.ioError, .sync): SQLITE_IOERR | 4 << 8
      case (.ioError, .truncate): SQLITE_IOERR | 6 << 8
      case (.full, _): SQLITE_FULL
      case (.corrupt, _): SQLITE_CORRUPT
      // As the unix VFS says it: https://sqlite.org/rescode.html#ioerr_nomem
      case (.noMemory, _): SQLITE_IOERR | 12 << 8
      }
    fault_vfs_arm(fault_operation(operation.rawValue), Int32(number), code, isPersistent ? 1 : 0, isShort ? 1 : 0)
  }

  /// Everything succeeds again.
  static func end() { fault_vfs_disarm() }

  /// The numbers since `begin`, for `Counts`.
  static var counts: String { Operation.allCases.map { String(fault_vfs_count(fault_operation($0.rawValue))) }.joined(separator: " ") }
}

/// A stored file whose program can be watched while its disk fails.
public protocol FaultyFile: StoredFile {
  /// Uses the file for an hour of the program's own time during `fault`, and compares it with the acknowledged changes.
  ///
  /// The program restarts in the middle. After the hour the disk works again, and the program restarts before the comparison.
  ///
  /// - Parameter folder: An existing, empty folder.
  func playHour(in folder: String, _ fault: Fault) throws -> Verdict
}

extension FaultyFile {
  /// Plays an hour; `report` gets the operations that it took.
  public func play(in folder: String, _ fault: Fault, report: (String) -> Void) throws -> Verdict {
    let verdict = try playHour(in: folder, fault)
    report(Fault.counts)
    return verdict
  }

  /// The folder that the next process finds: the same, or a copy of it as it stands while the first still runs.
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
