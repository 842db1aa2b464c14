import Foundation
import TestSupport
import Testing

/// One run of `beaconmon`, or of another program, to its end.
struct CommandLine {
  let status: Int32
  let output: [String]
  let errors: [String]

  init(program: String = Programs.commandLine, _ arguments: [String], input: Pipe = Pipe()) throws {
    let program = try RunningProgram(program, arguments, input: input)
    output = try program.output.all()
    errors = try program.log.all()
    status = try program.exitStatus()
  }
}

extension Pipe {
  /// Returns a pipe whose other end writes these octets and closes.
  static func bringing(_ octets: Data) -> Pipe {
    let pipe = Pipe()
    DispatchQueue.global().async {
      do {
        try pipe.fileHandleForWriting.write(contentsOf: octets)
        try pipe.fileHandleForWriting.close()
      } catch {
        Issue.record(error)
      }
    }
    return pipe
  }
}

extension String {
  /// The line of an event as `replay` prints it, without the last two keys, which name the journal.
  var withoutJournal: String {
    get throws {
      let end = try #require(range(of: ",\"journal\":\""))
      return String(self[..<end.lowerBound]) + "}"
    }
  }
}
