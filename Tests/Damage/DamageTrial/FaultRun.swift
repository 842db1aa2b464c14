import Glibc
import StoredFiles

/// Runs every fault at every operation of an hour, or at every n-th one.
struct FaultRun {
  let files: [any FaultyFile]

  /// Prints every broken promise and a summary. Returns true if none was broken.
  ///
  /// - Parameter stride: 1 fails each operation, 10 every tenth.
  func run(stride step: Int) throws -> Bool {
    let root = try makeRoot()
    defer { Files.remove(root) }
    var (count, faulty, losses, slowest) = (0, 0, 0, 0.0)
    var kinds: [String: Int] = [:]

    func attempt(_ file: any FaultyFile, _ fault: Fault) throws -> ChildTrial.Outcome { try Self.attempt(file, fault, in: root) }
    for file in files {
      let quiet = try attempt(file, Fault(.read, 0, .ioError))
      for fault in quiet.faults { say("\(file.name) without a fault: \(fault)") }
      if !quiet.faults.isEmpty { faulty += 1 }
      let counts = Fault.Counts(quiet.lines.last ?? "")
      say("\(file.name): \(Fault.Operation.allCases.map { "\(counts.numbers[$0] ?? 0) \($0)s" }.joined(separator: ", ")) in an hour")
      for operation in Fault.Operation.allCases {
        for number in Swift.stride(from: 1, through: counts.numbers[operation] ?? 0, by: step) {
          // A disk layer may find a read damaged. SQLite ignores that result of a write: it continues as if the octets were written.
          for (index, cause) in Fault.Cause.allCases.enumerated() where cause != .corrupt || operation == .read {
            for isPersistent in [false, true] {
              // With a stride, each cause fails another operation nearby, so that more operations are covered.
              let fault = Fault(
                operation, min(number + (step > 1 ? index : 0), counts.numbers[operation] ?? 0), cause, isPersistent: isPersistent,
                isShort: operation == .write && number % 2 == 0, crashes: (number + index) % 2 == 0)
              var outcome = try attempt(file, fault)
              // Other work may slow the machine down, so only the processor time counts.
              if outcome.processorSeconds > 2 { outcome.faults.append("it took \(Int(outcome.processorSeconds)) s") }
              count += 1
              losses += outcome.reportedLosses
              slowest = max(slowest, outcome.seconds)
              guard !outcome.faults.isEmpty else { continue }
              faulty += 1
              say("\(file.name), \(fault)")
              for line in outcome.faults {
                say("    \(line)")
                kinds["\(file.name): " + line.withoutNumbers, default: 0] += 1
              }
            }
          }
        }
      }
    }
    for (kind, times) in kinds.sorted(by: { $0.value > $1.value }) { say("\(times) × \(kind)") }
    say(
      "\(count) faults: \(faulty) faulty, \(losses) losses reported, the slowest hour \(Int(slowest * 1000)) ms; again: damage-trial faults \(step) \(files.count == 1 ? files[0].name : "all")"
    )
    return faulty == 0
  }

  /// Prints every broken promise of one fault. Returns true if none was broken.
  func run(_ fault: Fault) throws -> Bool {
    let root = try makeRoot()
    defer { Files.remove(root) }
    let faults = try files.flatMap { try Self.attempt($0, fault, in: root).faults }
    for line in faults { say(line) }
    return faults.isEmpty
  }

  private func makeRoot() throws -> String {
    let root = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/beaconmon-faults-\(getpid())"
    guard Fault.prepare() else { throw NoVFS() }
    try Files.makeFolder(root)
    return root
  }

  private static func attempt(_ file: any FaultyFile, _ fault: Fault, in root: String) throws -> ChildTrial.Outcome {
    Files.remove("\(root)/trial")
    try Files.makeFolder("\(root)/trial")
    return try ChildTrial.run(limit: 120) { say in try file.play(in: "\(root)/trial", fault, report: say) }
  }
}

/// The error if SQLite has no VFS to wrap.
struct NoVFS: Error {}

extension String {
  /// The finding with its numbers replaced, so that findings that differ only in numbers compare equal.
  var withoutNumbers: String {
    replacing(/[0-9]+/) { _ in "N" }.replacing(/N(, N)+( … \(N\))?/) { _ in "N" }
  }
}
