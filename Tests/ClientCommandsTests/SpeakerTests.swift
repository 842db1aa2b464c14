import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// Sentences and the programs that speak them, on a manual clock.
@Suite struct SpeakerTests {
  /// A program whose sentences take a second, and which fails for a reason or speaks.
  private final class FakeProgram: SpeechProgram {
    let name: String
    var failure: String?
    private unowned let scene: Scene
    private var timer: ManualTimer?

    init(_ name: String, _ scene: Scene) { (self.name, self.scene) = (name, scene) }

    func speak(_ text: String, language: String?, completion: @escaping (String?) -> Void) {
      scene.log.append("\(name): \(text)\(language.map { " (\($0))" } ?? "")")
      timer = scene.scheduler.timer { [unowned self] in completion(failure) }
      timer?.arm(at: scene.scheduler.now + .seconds(1))
    }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    var log: [String] = []
    var failures: [String] = []

    private(set) lazy var best = FakeProgram("best", self)
    private(set) lazy var other = FakeProgram("other", self)
    private(set) lazy var speaker = {
      let speaker = Speaker(scheduler, [best, other])
      speaker.onFailure = { [unowned self] in failures.append($0) }
      return speaker
    }()

    /// Returns what is logged from now until all sentences have ended.
    func take() -> [String] {
      scheduler.advance(by: .seconds(2))
      defer { log = [] }
      return log
    }
  }

  private let scene = Scene()

  @Test func `the best program speaks, in the language of the sentence`() {
    scene.speaker.speak("links", language: "de")
    #expect(scene.take() == ["best: links (de)"])
  }

  @Test func `while a sentence is spoken, only the latest other one waits`() {
    for sentence in ["one", "two", "three"] { scene.speaker.speak(sentence, language: nil) }
    #expect(scene.log == ["best: one"])
    #expect(scene.take() == ["best: one", "best: three"])
  }

  @Test func `a reassurance replaces no instruction that waits`() {
    scene.speaker.speak("begin", language: nil)
    scene.speaker.speak("turn left", language: nil)
    scene.speaker.speak("pass the globe", language: nil, isReassurance: true)
    #expect(scene.take() == ["best: begin", "best: turn left"])
  }

  @Test func `an instruction and a later reassurance replace a reassurance that waits`() {
    scene.speaker.speak("begin", language: nil)
    scene.speaker.speak("keep going", language: nil, isReassurance: true)
    scene.speaker.speak("pass the globe", language: nil, isReassurance: true)
    #expect(scene.take() == ["best: begin", "best: pass the globe"])
    scene.speaker.speak("begin", language: nil)
    scene.speaker.speak("keep going", language: nil, isReassurance: true)
    scene.speaker.speak("turn left", language: nil)
    #expect(scene.take() == ["best: begin", "best: turn left"])
  }

  @Test func `silence begins after the last sentence, and at once if there is none`() {
    var silences = 0
    scene.speaker.whenSilent { silences += 1 }
    #expect(silences == 1)
    scene.speaker.speak("one", language: nil)
    scene.speaker.whenSilent { silences += 1 }
    scene.speaker.speak("two", language: nil)
    scene.scheduler.advance(by: .milliseconds(1_900))
    #expect(silences == 1)
    scene.scheduler.advance(by: .milliseconds(100))
    #expect(silences == 2)
    scene.speaker.speak("three", language: nil)
    #expect(scene.take().last == "best: three" && silences == 2)
  }

  @Test func `the next program repeats a sentence that fails, and speaks from then on`() {
    scene.best.failure = "no server"
    scene.speaker.speak("one", language: "en")
    #expect(scene.take() == ["best: one (en)", "other: one (en)"])
    scene.speaker.speak("two", language: nil)
    #expect(scene.take() == ["other: two"] && scene.failures == ["best does not speak: no server"])
  }

  @Test func `an instruction that waits replaces a sentence that fails, and a reassurance does not`() {
    scene.best.failure = "no server"
    scene.speaker.speak("one", language: nil)
    scene.speaker.speak("turn left", language: nil)
    #expect(scene.take() == ["best: one", "other: turn left"])
    scene.scheduler.advance(by: .seconds(60))
    scene.speaker.speak("two", language: nil)
    scene.speaker.speak("keep going", language: nil, isReassurance: true)
    #expect(scene.take() == ["best: two", "other: two"])
  }

  @Test func `a program that failed is tried again after 5 s, each time later, until it speaks`() {
    let start = scene.scheduler.now
    var spoken: [[String]] = []
    scene.best.failure = "no server"
    // It fails at 1 s and at 7 s, so that attempts are due at 6 s and at 17 s.
    for (sentence, seconds) in [("one", 0.0), ("two", 4), ("three", 6), ("four", 15), ("five", 17)] {
      scene.scheduler.advance(by: start + .seconds(seconds) - scene.scheduler.now)
      if sentence == "five" { scene.best.failure = nil }
      scene.speaker.speak(sentence, language: nil)
      spoken.append(scene.take())
    }
    #expect(
      spoken == [
        ["best: one", "other: one"], ["other: two"], ["best: three", "other: three"], ["other: four"], ["best: five"],
      ])
    #expect(scene.failures == ["best does not speak: no server"])
    // It has spoken, so that another failure is reported and the first pause is short again.
    scene.best.failure = "broken"
    scene.speaker.speak("six", language: nil)
    #expect(scene.take() == ["best: six", "other: six"] && scene.failures.last == "best does not speak: broken")
    scene.scheduler.advance(by: .seconds(4))
    scene.speaker.speak("seven", language: nil)
    #expect(scene.take() == ["best: seven", "other: seven"] && scene.failures.count == 2)
  }

  @Test func `where all programs fail, each sentence is tried once with each, and silence follows`() {
    (scene.best.failure, scene.other.failure) = ("no server", "no device")
    for sentence in ["one", "two"] {
      var isSilent = false
      scene.speaker.speak(sentence, language: nil)
      scene.speaker.whenSilent { isSilent = true }
      #expect(scene.take() == ["best: \(sentence)", "other: \(sentence)"] && isSilent)
      scene.scheduler.advance(by: .seconds(60))
    }
    #expect(scene.failures == ["best does not speak: no server", "other does not speak: no device"])
  }

  @Test func `while no program is due, a sentence is tried once with the program that is due first`() {
    (scene.best.failure, scene.other.failure) = ("no server", "no device")
    scene.speaker.speak("one", language: nil)
    #expect(scene.take() == ["best: one", "other: one"])
    scene.speaker.speak("two", language: nil)
    #expect(scene.take() == ["best: two"])
    scene.speaker.speak("three", language: nil)
    #expect(scene.take() == ["other: three"])
  }
}
