import ClientCommands
import EventLoop
import Failures
import Foundation
import Speech
import TestSupport
import Testing

/// Programs that speak, which scripts imitate.
@Suite struct InstalledSpeechProgramTests {
  private let loop: Loop
  private let folder: TemporaryDirectory

  init() throws {
    loop = try Loop()
    folder = try TemporaryDirectory()
  }

  /// Installs a program that writes its arguments to a file, and then runs a script.
  private func install(_ name: String, _ script: String = "") throws {
    let text =
      "#!/bin/sh\nprintf '%s|' \"${0##*/}\" \"$@\" >>\"\(folder.file("spoken"))\"\necho >>\"\(folder.file("spoken"))\"\n\(script)\n"
    try folder.program(name, text)
  }

  private func programs() throws -> [InstalledSpeechProgram] {
    try InstalledSpeechProgram.all(on: loop, environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
  }

  /// Speaks a sentence and returns the reason for a failure.
  private func speak(_ program: InstalledSpeechProgram?, _ text: String, language: String? = nil) throws -> String? {
    let program = try #require(program)
    return try loop.value { done in program.speak(text, language: language) { done($0) } }
  }

  private var spoken: [String] {
    ((try? String(contentsOfFile: folder.file("spoken"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  @Test func `without a program that speaks, the error names the packages`() throws {
    #expect {
      _ = try InstalledSpeechProgram.all(on: loop, environment: ["PATH": folder.path])
    } throws: { error in
      "\(error)".contains("install speech-dispatcher or espeak-ng")
    }
  }

  @Test func `speech-dispatcher is the best program, and a sentence is one argument that is never an option`() throws {
    try install("espeak-ng")
    try install("spd-say")
    let programs = try programs()
    #expect(programs.map(\.name) == ["spd-say", "espeak-ng"])
    #expect(try speak(programs.first, "-x; $(id) \0 turn left", language: "en") == nil)
    #expect(spoken == ["spd-say|--wait|--language|en|--|-x; $(id)  turn left|"])
  }

  @Test func `espeak-ng speaks where speech-dispatcher is missing`() throws {
    try install("espeak-ng")
    let programs = try programs()
    #expect(programs.map(\.name) == ["espeak-ng"])
    #expect(try speak(programs.first, "Links", language: "de") == nil)
    #expect(try speak(programs.first, "Rechts") == nil)
    #expect(spoken == ["espeak-ng|-v|de|--|Links|", "espeak-ng|--|Rechts|"])
  }

  @Test func `the reason for a failure is the exit status with the last line, or the signal`() throws {
    try install("spd-say", "echo detail; echo no server; exit 3")
    #expect(try speak(programs().first, "one") == "exit status 3: no server")
    try install("spd-say", "kill -9 $$")
    #expect(try speak(programs().first, "two") == "signal 9")
  }

  @Test func `a program that was removed is a failure, which is reported after the call`() throws {
    try install("spd-say")
    let program = try #require(programs().first)
    try FileManager.default.removeItem(atPath: folder.file("spd-say"))
    var reason: String?
    program.speak("one", language: nil) { reason = $0 }
    #expect(reason == nil)
    #expect(try speak(program, "two") != nil)
    #expect(reason?.isEmpty == false && spoken.isEmpty)
  }

  @Test func `a sentence of the speaker is repeated by the next program`() throws {
    try install("spd-say", "exit 1")
    try install("espeak-ng")
    let speaker = try Speaker(loop, programs())
    var failures: [String] = []
    speaker.onFailure = { failures.append($0) }
    speaker.speak("one", language: nil)
    _ = try loop.value { done in speaker.whenSilent { done(true) } }
    #expect(spoken == ["spd-say|--wait|--|one|", "espeak-ng|--|one|"])
    #expect(failures == ["spd-say does not speak: exit status 1"])
  }
}
