import Foundation
import TestSupport
import Testing

/// Damaged files and failing disks, tried by the program `damage-trial` in a child process each.
///
/// Tests/Damage/README.md explains them. `make soak` runs many more.
@Suite struct DamageTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// The program beside the tests.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("damage-trial").path

  /// Runs the program and expects no findings.
  private func expectNothing(_ arguments: String...) throws {
    let pipe = Pipe()
    let trial = try Child(Self.program, arguments, output: .pipe(pipe))
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let lines = output.split(separator: "\n").map(String.init)
    if let summary = lines.last { print(summary) }
    #expect(trial.wait() == 0, "\(lines.suffix(100).joined(separator: "\n"))")
  }

  /// The number of damages for all files together, from BEACONMON_DAMAGES.
  private static let damages = environment["BEACONMON_DAMAGES"].flatMap(Int.init) ?? 300
  private static let seed = environment["BEACONMON_DAMAGE_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)

  @Test(arguments: ["config", "consent", "journal", "outbox", "survey", "survey-report"])
  func `damage to a file loses no more than the damaged part, and the loss is reported`(file: String) throws {
    try expectNothing("damages", String(Self.damages / 4), String(Self.seed), file)
  }

  @Test(arguments: ["consent", "journal", "outbox"])
  func `no acknowledged change is lost, whatever disk operation fails`(file: String) throws {
    try expectNothing("faults", Self.environment["BEACONMON_FAULT_STRIDE"] ?? "200", file)
  }

  /// A rollback reads the journal, so it fails too. Decisions made afterwards are either kept or refused.
  @Test(arguments: Array(stride(from: 61, through: 97, by: 2)))
  func `a rollback that fails takes no decision back`(read: Int) throws {
    try expectNothing("fault", "consent", "read \(read) CORRUPT, and all later ones")
  }

  /// The disk has taken the commit, and the process is killed before it writes again. The next start finds the events.
  @Test(arguments: ["IOERR, and all later ones", "FULL", "NOMEM"])
  func `an event whose commit failed at its sync may exist after a crash`(cause: String) throws {
    try expectNothing("fault", "journal", "sync 45 \(cause), killed in the middle")
  }
}
