import Glibc
import StoredFiles

// damage-trial damages [COUNT [SEED [FILE [FIRST]]]]
// damage-trial faults [STRIDE [FILE]]
// damage-trial fault FILE WORD…
//
// To repeat one case: damage-trial damages 1 SEED FILE NUMBER, or `all` for FILE. To repeat one fault: the words of the report.
let words = Array(CommandLine.arguments.dropFirst())
func number(_ index: Int, or other: UInt64) -> UInt64 { words.count > index ? UInt64(words[index]) ?? other : other }
let wanted = words.first == "damages" ? 3 : 2
let files = StoredFiles.all.filter { words.count <= wanted || words[wanted] == "all" || words[wanted] == $0.name }

do {
  switch words.first {
  case "damages" where !files.isEmpty:
    exit(
      try DamageRun(files: files, seed: number(2, or: .random(in: 0...999_999)))
        .run(first: Int(number(4, or: 0)), count: Int(number(1, or: 300))) ? 0 : 1)
  case "faults" where !files.isEmpty:
    exit(try FaultRun(files: files.compactMap { $0 as? any FaultyFile }).run(stride: max(1, Int(number(1, or: 1)))) ? 0 : 1)
  case "fault":
    guard let file = StoredFiles.all.first(where: { words.count > 1 && $0.name == words[1] }) as? any FaultyFile,
      let fault = Fault(description: words.dropFirst(2).joined(separator: " "))
    else { fallthrough }
    exit(try FaultRun(files: [file]).run(fault) ? 0 : 1)
  default:
    say("usage: damage-trial damages [COUNT [SEED [FILE [FIRST]]]] | faults [STRIDE [FILE]] | fault FILE WORD…", to: STDERR_FILENO)
    exit(64)
  }
} catch {
  say("damage-trial: \(error)", to: STDERR_FILENO)
  exit(70)
}
