import Foundation
import TestSupport
import Testing

/// Clients of this version with a daemon of an earlier one.
@Suite struct OldDaemonTests {
  private func run(_ words: String..., until count: Int) throws -> (output: [String], requests: [String]) {
    let bus = try PrivateBus()
    let daemon = try RunningProgram(Programs.python, [Programs.peer("old_daemon.py"), bus.address])
    _ = try daemon.output.next("the old daemon") { $0 == "ready" }
    let program = try RunningProgram(Programs.commandLine, words + ["--bus", bus.address])
    let lines = try (0..<count).map { _ in try program.output.next("a location") }
    program.signal(SIGINT)
    let requests = try (0..<2).map { _ in try daemon.output.next("a request") }
    return (lines, requests)
  }

  @Test func `locate asks an old daemon again without the language that it refuses`() throws {
    let (output, requests) = try run("locate", "--language", "de", "--json", until: 1)
    #expect(try JSON(parsing: output[0])["latitude"] == 48.1)
    #expect(requests == ["RequestLocation desiredAccuracy,locale,timeout", "RequestLocation desiredAccuracy,timeout"])
  }

  @Test func `track starts updates of an old daemon without the language that it refuses`() throws {
    let (output, requests) = try run("track", "--language", "de", "--json", until: 1)
    #expect(try JSON(parsing: output[0])["longitude"] == 11.5)
    #expect(requests == ["StartUpdatingLocation desiredAccuracy,locale", "StartUpdatingLocation desiredAccuracy"])
  }
}
