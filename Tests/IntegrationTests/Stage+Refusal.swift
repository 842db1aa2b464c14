import Foundation
import TestSupport
import Testing

extension Stage {
  /// The exit status and error lines of a program that could not do its work.
  ///
  /// In the lines, FOLDER stands for this stage's folder and BUS for its bus' address.
  struct Refusal: Equatable {
    let status: Int32
    let lines: [String]
  }

  /// A region of all beacons.
  static let hall = """
    [[region]]
    identifier = "hall"
    uuid = "\(CaptureOctets.uuid)"

    """

  /// Runs a program to its end, outside of any session.
  func refusal(of program: String, _ arguments: [String]) throws -> Refusal {
    let running = try RunningProgram(program, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""])
    try running.input.close()
    let status = try running.exitStatus()
    #expect(try running.output.all() == [])
    let lines = try running.log.all().map {
      $0.replacingOccurrences(of: folder.path, with: "FOLDER").replacingOccurrences(of: bus.address, with: "BUS")
    }
    return Refusal(status: status, lines: lines)
  }

  /// Copies a program into a folder that other users may enter, unlike the build folder.
  ///
  /// It only works if the program contains the standard library.
  func copyForEverybody(_ program: String) throws -> String {
    let copy = folder.file(URL(fileURLWithPath: program).lastPathComponent)
    // Installed programs are names of one file.
    try FileManager.default.copyItem(atPath: URL(fileURLWithPath: program).resolvingSymlinksInPath().path, toPath: copy)
    return copy
  }
}
