import EventLoop
import Failures
import Foundation
import Instants
import Speech
import TestSupport
import Testing

/// Sentences that a program speaks, which a script imitates.
@Suite struct SpeakerTests {
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

  private func speaker(clock: (() -> Instant)? = nil) throws -> Speaker {
    try Speaker(loop, environment: ["PATH": "\(folder.path):/usr/bin:/bin"], clock: clock)
  }

  private var spoken: [String] {
    ((try? String(contentsOfFile: folder.file("spoken"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  private func silence(_ speaker: Speaker) throws {
    _ = try loop.value { done in speaker.whenSilent { done(true) } }
  }

  @Test func `without a program that speaks, the error names the packages`() throws {
    #expect {
      _ = try Speaker(loop, environment: ["PATH": folder.path])
    } throws: { error in
      "\(error)".contains("install speech-dispatcher or espeak-ng")
    }
  }

  @Test func `speech-dispatcher is preferred, and a sentence is one argument that is never an option`() throws {
    try install("espeak-ng")
    try install("spd-say")
    let speaker = try speaker()
    speaker.speak("-x; $(id) \0 turn left", language: "en")
    try silence(speaker)
    #expect(spoken == ["spd-say|--wait|--language|en|--|-x; $(id)  turn left|"])
  }

  @Test func `espeak-ng speaks where speech-dispatcher is missing`() throws {
    try install("espeak-ng")
    let speaker = try speaker()
    speaker.speak("Links", language: "de")
    try silence(speaker)
    #expect(spoken == ["espeak-ng|-v|de|--|Links|"])
  }

  @Test func `while a sentence is spoken, only the latest other one waits`() throws {
    try install("spd-say", "sleep 0.2")
    let speaker = try speaker()
    for sentence in ["one", "two", "three"] { speaker.speak(sentence, language: nil) }
    try silence(speaker)
    #expect(spoken == ["spd-say|--wait|--|one|", "spd-say|--wait|--|three|"])
  }

  @Test func `a program that fails is reported once with its last line, and the next sentence is spoken all the same`() throws {
    try install("spd-say", "echo detail; echo no server; exit 3")
    let speaker = try speaker()
    var failures: [String] = []
    speaker.onFailure = { failures.append($0) }
    for sentence in ["one", "two"] {
      speaker.speak(sentence, language: nil)
      try silence(speaker)
    }
    #expect(failures == ["spd-say does not speak: exit status 3: no server"] && spoken.count == 2)
  }

  @Test func `a program that failed is tried again after a while, each time later, until it speaks`() throws {
    try install("spd-say", "exit 1")
    try install("espeak-ng")
    var now = Instant(microseconds: 0)
    let speaker = try speaker { now }
    var failures: [String] = []
    speaker.onFailure = { failures.append($0) }
    // It fails at 0 s and at 5 s, so that the next attempt is due 10 s later.
    for (sentence, seconds) in [("one", 0.0), ("two", 4.9), ("three", 5), ("four", 14.9), ("five", 15), ("six", 15.1)] {
      now = Instant(microseconds: Int64(seconds * 1e6))
      if sentence == "five" { try install("spd-say") }
      speaker.speak(sentence, language: nil)
      try silence(speaker)
    }
    #expect(
      spoken == [
        "spd-say|--wait|--|one|", "espeak-ng|--|one|", "espeak-ng|--|two|", "spd-say|--wait|--|three|", "espeak-ng|--|three|",
        "espeak-ng|--|four|", "spd-say|--wait|--|five|", "spd-say|--wait|--|six|",
      ])
    #expect(failures == ["spd-say does not speak: exit status 1"])
    // It has spoken, so that another failure is reported.
    try install("spd-say", "exit 2")
    speaker.speak("seven", language: nil)
    try silence(speaker)
    #expect(failures.last == "spd-say does not speak: exit status 2" && spoken.last == "espeak-ng|--|seven|")
  }

  @Test func `where both programs fail, each sentence is tried once with each, and nothing repeats for ever`() throws {
    try install("spd-say", "exit 1")
    try install("espeak-ng", "exit 1")
    var now = Instant(microseconds: 0)
    let speaker = try speaker { now }
    for sentence in ["one", "two"] {
      speaker.speak(sentence, language: nil)
      try silence(speaker)
      now += .seconds(60)
    }
    #expect(
      spoken == ["spd-say|--wait|--|one|", "espeak-ng|--|one|", "spd-say|--wait|--|two|", "espeak-ng|--|two|"])
  }

  @Test func `espeak-ng repeats the sentence that speech-dispatcher cannot speak, and speaks from then on`() throws {
    try install("spd-say", "exit 1")
    try install("espeak-ng")
    let speaker = try speaker()
    var failures: [String] = []
    speaker.onFailure = { failures.append($0) }
    for sentence in ["one", "two"] {
      speaker.speak(sentence, language: nil)
      try silence(speaker)
    }
    #expect(spoken == ["spd-say|--wait|--|one|", "espeak-ng|--|one|", "espeak-ng|--|two|"])
    #expect(failures == ["spd-say does not speak: exit status 1"])
  }

  @Test func `a reassurance replaces no instruction that waits, and an instruction replaces a reassurance`() throws {
    try install("spd-say", "sleep 0.2")
    let speaker = try speaker()
    speaker.speak("begin", language: nil)
    speaker.speak("keep going", language: nil, isReassurance: true)
    speaker.speak("turn left", language: nil)
    speaker.speak("pass the globe", language: nil, isReassurance: true)
    try silence(speaker)
    #expect(spoken == ["spd-say|--wait|--|begin|", "spd-say|--wait|--|turn left|"])
  }

  @Test func `a program that was removed is a failure, and silence follows`() throws {
    try install("spd-say")
    let speaker = try speaker()
    try FileManager.default.removeItem(atPath: folder.file("spd-say"))
    var failures: [String] = []
    speaker.onFailure = { failures.append($0) }
    speaker.speak("one", language: nil)
    try silence(speaker)
    #expect(failures.count == 1 && failures.first?.hasPrefix("spd-say does not speak: ") == true && spoken.isEmpty)
  }

  @Test func `a speaker that has nothing to say is silent at once`() throws {
    try install("spd-say")
    var isSilent = false
    try speaker().whenSilent { isSilent = true }
    #expect(isSilent)
  }
}
