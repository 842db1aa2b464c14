import Glibc
import StoredFiles

/// Runs a number of damaged files, one after the other, each in a child process.
struct DamageRun {
  let files: [any StoredFile]
  let seed: UInt64
  /// The seconds after which an idle machine has long finished an undamaged trial.
  private let hang = 2.0

  /// Prints every fault and a summary; returns whether there was no fault.
  func run(first: Int, count: Int) throws -> Bool {
    // Uses memory if possible, because the trial does not test the disk.
    let root = "\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/beaconmon-damage-\(getpid())"
    try Files.makeFolder(root)
    defer { Files.remove(root) }
    try Files.makeFolder("\(root)/stock")
    let stock = try Stock(in: "\(root)/stock", of: files, copies: 4, seed: seed)
    let trial = DamageTrial(stock: stock, files: files, seed: seed)
    var (faulty, losses, slowest, hangs) = (0, 0, 0.0, 0)
    var kinds: [String: Int] = [:]

    for file in files {
      for form in Form.allCases {
        let outcome = try ChildTrial.run(limit: 120) { _ in try inFolder(root) { try trial.runUndamaged(file, form, in: $0) } }
        for fault in outcome.faults { say("undamaged \(file.name), \(form.rawValue): \(fault)") }
        if !outcome.faults.isEmpty { faulty += 1 }
      }
    }
    for number in first..<first + count {
      func attempt(_ limit: Double) throws -> ChildTrial.Outcome {
        try ChildTrial.run(limit: limit) { say in try inFolder(root) { try trial.run(number, in: $0, report: say) } }
      }
      var outcome = try attempt(hang)
      if outcome.isHang {
        // Other work makes everything take longer, but not more processor time.
        hangs += 1
        outcome = try attempt(120)
        if outcome.processorSeconds > hang, !outcome.isHang { outcome.faults.append("it took \(Int(outcome.processorSeconds)) s") }
      }
      slowest = max(slowest, outcome.seconds)
      losses += outcome.reportedLosses
      guard !outcome.faults.isEmpty else { continue }
      faulty += 1
      say("case \(number): \(outcome.lines.joined(separator: " "))")
      for fault in outcome.faults {
        say("    \(fault)")
        kinds["\(files[number % files.count].name): " + fault.withoutNumbers, default: 0] += 1
      }
    }
    for (kind, times) in kinds.sorted(by: { $0.value > $1.value }) { say("\(times) × \(kind)") }
    let names = files.map(\.name).joined(separator: ", ")
    say(
      "\(count) damages of \(names), seed \(seed): \(faulty) faulty, \(losses) losses reported, the slowest case \(Int(slowest * 1000)) ms, \(hangs) tried again for time; again: damage-trial damages \(count) \(seed) \(files.count == 1 ? names : "all") \(first)"
    )
    return faulty == 0
  }

  /// Runs `body` in the child, with an empty folder.
  private func inFolder(_ root: String, _ body: (String) throws -> Verdict) throws -> Verdict {
    let folder = "\(root)/trial"
    Files.remove(folder)
    try Files.makeFolder(folder)
    return try body(folder)
  }
}
