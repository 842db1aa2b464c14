/// A file that a program of this package stores and reads again, possibly after a crash, a disk failure or a manual change.
///
/// To add a stored file to the damage suite, conform to this protocol and add a line to `StoredFiles.all`.
public protocol StoredFile: Sendable {
  /// The contents of an undamaged file.
  associatedtype Truth

  /// The name in reports and on the command line.
  var name: String { get }
  /// The file's name in its folder.
  var fileName: String { get }
  /// Whether the file is an SQLite database, of which pages, rows, cells, schema and write-ahead log are damaged as well.
  var isDatabase: Bool { get }

  /// Writes valid content into an empty folder with the product's own code.
  ///
  /// Calls `keep` whenever a process could leave the files in this state, also with the database still open, as after a crash.
  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws

  /// Opens the file as the program does at its start, uses it, and compares the results with the truth.
  ///
  /// - Parameters:
  ///   - folder: The folder of the damaged file.
  ///   - untouched: A copy of that folder that the product has not opened, to find out which rows can be read.
  ///   - truths: The contents of the file before the damage. With a second one, the damage put an older state in its place. A file that is
  ///     whole in itself cannot know that there was a newer one, so either is right, but no mixture.
  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict
}

/// The ways in which a process leaves its files behind.
public enum Form: String, CaseIterable, Sendable {
  /// An earlier copy, as from a backup.
  case older
  /// The files at a random instant, with a write-ahead log.
  case crashed
  /// The files after an orderly end.
  case closed
}

/// The findings of a trial.
public struct Verdict: Sendable {
  /// Broken promises, one line each.
  public var faults: [String] = []
  /// The number of true items that the product lost and reported as lost.
  public var reportedLosses = 0

  public init() {}

  /// Adds the faults of the comparison with the best matching truth.
  public mutating func compare<Truth>(with truths: [Truth], _ comparison: (Truth, inout Verdict) -> Void) {
    let verdicts = truths.map { truth in
      var verdict = Verdict()
      comparison(truth, &verdict)
      return verdict
    }
    guard let best = verdicts.first(where: \.faults.isEmpty) ?? verdicts.first else { return }
    faults += best.faults
    reportedLosses += best.reportedLosses
  }

  /// Adds a fault unless `condition` holds.
  public mutating func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if !condition { faults.append(fault()) }
  }
}
