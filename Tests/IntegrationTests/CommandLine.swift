import Foundation
import Testing

/// One run of `beaconmon` to its end.
struct CommandLine {
  let status: Int32
  let output: [String]
  let errors: [String]

  init(_ arguments: [String], input: Pipe = Pipe()) throws {
    let program = try RunningProgram(Programs.commandLine, arguments, input: input)
    output = try program.output.all()
    errors = try program.log.all()
    status = try program.exitStatus()
  }
}
