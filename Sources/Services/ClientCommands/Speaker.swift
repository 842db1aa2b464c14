import Instants
import Scheduling

/// A program that speaks sentences, one at a time.
public protocol SpeechProgram: AnyObject {
  /// The name of the program in a failure.
  var name: String { get }

  /// Speaks a sentence.
  ///
  /// - Parameters:
  ///   - language: the language of the sentence; nil for the one of the user.
  ///   - completion: takes nil, or the reason for a failure. It is never called inside this call.
  func speak(_ text: String, language: String?, completion: @escaping (String?) -> Void)
}

/// Speaks sentences one after the other, and decides which one is next and which program speaks it.
///
/// Speaking never delays the caller: while a sentence is spoken, only the latest one waits. A program that fails is replaced by the next
/// one, and is tried again after a while.
public final class Speaker {
  /// A program, and its failures since it spoke last.
  private struct Candidate {
    let program: any SpeechProgram
    var backoff = Backoff(from: .seconds(5), to: .seconds(300))
    /// The time at which a program that failed is tried again; nil if it speaks.
    var retry: Instant?
    /// Whether a failure was reported since the program spoke last.
    var isReported = false
  }

  private struct Sentence {
    let text: String
    let language: String?
    let isReassurance: Bool
  }

  /// Receives the reason of a failure, once for each program until that program speaks again.
  public var onFailure: (String) -> Void = { _ in }

  private let scheduler: any Scheduler
  private var candidates: [Candidate]
  private var isSpeaking = false
  private var waiting: Sentence?
  private var onSilence: (() -> Void)?

  /// - Parameter programs: the programs that are installed, the best one first; at least one.
  public init(_ scheduler: any Scheduler, _ programs: [any SpeechProgram]) {
    self.scheduler = scheduler
    candidates = programs.map { Candidate(program: $0) }
  }

  /// Speaks a sentence after the present one. A sentence that still waits is outdated, and is dropped.
  ///
  /// - Parameter isReassurance: whether a visitor can do without the sentence, which then never replaces an instruction that waits.
  public func speak(_ text: String, language: String?, isReassurance: Bool = false) {
    if isReassurance, let waiting, !waiting.isReassurance { return }
    waiting = Sentence(text: text, language: language, isReassurance: isReassurance)
    speakNext()
  }

  /// Calls `body` when nothing is left to say.
  public func whenSilent(_ body: @escaping () -> Void) {
    guard isSpeaking else { return body() }
    onSilence = body
  }

  /// The index of the best program that did not fail lately, or of the one that is tried again first.
  private var due: Int {
    let now = scheduler.now
    return candidates.firstIndex { $0.retry.map { $0 <= now } ?? true }
      ?? candidates.indices.min { (candidates[$0].retry ?? now) < (candidates[$1].retry ?? now) } ?? 0
  }

  private func speakNext() {
    guard !isSpeaking else { return }
    guard let sentence = waiting else {
      onSilence?()
      onSilence = nil
      return
    }
    let index = due
    (waiting, isSpeaking) = (nil, true)
    candidates[index].program.speak(sentence.text, language: sentence.language) { [weak self] failure in
      self?.ended(sentence, by: index, failure)
    }
  }

  private func ended(_ sentence: Sentence, by index: Int, _ failure: String?) {
    if let failure {
      fail(sentence, by: index, failure)
    } else {
      candidates[index] = Candidate(program: candidates[index].program)
    }
    isSpeaking = false
    speakNext()
  }

  /// Reports a failure, and repeats the sentence with the next program, unless an instruction has replaced it.
  private func fail(_ sentence: Sentence, by index: Int, _ reason: String) {
    let now = scheduler.now
    candidates[index].retry = now + candidates[index].backoff.next()
    if !candidates[index].isReported {
      candidates[index].isReported = true
      onFailure("\(candidates[index].program.name) does not speak: \(reason)")
    }
    guard candidates.contains(where: { $0.retry.map { $0 <= now } ?? true }) else { return }
    if waiting?.isReassurance ?? true { waiting = sentence }
  }
}
