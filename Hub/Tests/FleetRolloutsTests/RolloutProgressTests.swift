import FleetMessages
import Instants
import FleetRollouts
import Testing

@Suite struct RolloutProgressTests {
  private typealias Canary = RolloutObservation.Canary
  private static let start = Instant(microseconds: 1_795_000_000_000_000)

  private var progress = RolloutProgress(revision: 7, soak: .seconds(3600), since: start)

  private func at(_ minutes: Double) -> Instant { Self.start + .seconds(minutes * 60) }

  /// A canary that was sent the rollout at the start, and is heard at every time.
  private func canary(
    _ name: String = "berlin.door", _ state: RolloutReport.State? = .confirmed, text: String = "", at minutes: Double
  ) -> Canary {
    var canary = Canary(name: name)
    (canary.sent, canary.state, canary.text, canary.heard) = (Self.start, state, text, at(minutes))
    canary.applied = state == .confirmed || state == .onTrial ? 7 : 4
    return canary
  }

  private func seen(
    _ minutes: Double, _ canaries: Canary..., watchedSince: Double = -60, confirmed: Int = 0, failed: Int = 0
  ) -> RolloutObservation {
    RolloutObservation(
      now: at(minutes), watchedSince: at(watchedSince), canaries: canaries, confirmed: confirmed, failed: failed)
  }

  /// Returns the progress of a rollout that has reached its soak at 12 minutes.
  private func soaking() -> RolloutProgress {
    var progress = progress
    progress.advance(seen(12, canary(at: 12)))
    #expect(progress.phase == .soak && progress.since == at(12))
    return progress
  }

  @Test("the rest follows when all canaries have confirmed and the soak is over")
  mutating func course() {
    progress.advance(seen(1, canary("berlin.door", .onTrial, at: 1), canary("berlin.hall", nil, at: 1)))
    progress.advance(seen(11, canary("berlin.door", at: 11), canary("berlin.hall", .onTrial, at: 11)))
    #expect(progress.phase == .canary)
    progress.advance(seen(12, canary("berlin.door", at: 12), canary("berlin.hall", at: 12)))
    progress.advance(seen(71, canary("berlin.door", at: 71), canary("berlin.hall", at: 71)))
    #expect(progress.phase == .soak)
    progress.advance(seen(72, canary("berlin.door", at: 72), canary("berlin.hall", at: 72)))
    #expect(progress.phase == .rest && progress.since == at(72) && progress.reason.isEmpty)
  }

  @Test(
    "a canary that refuses, rolls back, is revoked or does not confirm in 30 minutes ends the rollout",
    arguments: [
      (RolloutReport.State.refused, "no rollout-key", false, "berlin.door refused it: no rollout-key"),
      (.rolledBack, "", false, "berlin.door rolled it back"), (.onTrial, "", true, "berlin.door was revoked"),
      (.onTrial, "", false, "berlin.door has not confirmed it in 30 minutes"),
      (nil, "", false, "berlin.door has not confirmed it in 30 minutes"),
    ])
  func failures(_ state: RolloutReport.State?, _ text: String, _ isRevoked: Bool, _ reason: String) {
    var progress = progress
    var door = canary("berlin.door", state, text: text, at: 29.9)
    door.isRevoked = isRevoked
    progress.advance(seen(29.9, canary("berlin.hall", at: 29.9), door))
    if !reason.contains("30 minutes") { #expect(progress.phase == .failed) }
    progress.advance(seen(30, canary("berlin.hall", at: 30), door))
    #expect(progress.phase == .failed && progress.reason == reason && progress.interrupted == .canary)
  }

  @Test("a state of another revision in use is not a confirmation")
  mutating func otherRevision() {
    var door = canary(at: 5)
    door.applied = 4
    progress.advance(seen(5, door))
    #expect(progress.phase == .canary)
    var soak = soaking()
    soak.advance(seen(13, door))
    #expect(soak.phase == .failed && soak.reason == "berlin.door uses revision 4")
  }

  @Test("time without a worker is neither silence nor soak")
  func unwatched() {
    var waiting = progress
    waiting.advance(seen(300, canary("berlin.door", .onTrial, at: 1), watchedSince: 299))
    #expect(waiting.phase == .canary)
    waiting.advance(seen(329, canary("berlin.door", .onTrial, at: 1), watchedSince: 299))
    #expect(waiting.phase == .failed)
    var soak = soaking()
    soak.advance(seen(300, canary(at: 12), watchedSince: 299))
    #expect(soak.phase == .soak)
    soak.advance(seen(358, canary(at: 358), watchedSince: 299))
    #expect(soak.phase == .soak)
    soak.advance(seen(359, canary(at: 359), watchedSince: 299))
    #expect(soak.phase == .rest)
  }

  @Test("a canary that is silent for 15 minutes ends the soak")
  func silence() {
    var soak = soaking()
    soak.advance(seen(27.9, canary(at: 13)))
    #expect(soak.phase == .soak)
    soak.advance(seen(28, canary(at: 13)))
    #expect(soak.phase == .failed && soak.reason == "berlin.door has sent nothing for 15 minutes" && soak.interrupted == .soak)
  }

  @Test("the soak begins again after a new problem, and a silent canary with one still ends it")
  func newProblem() {
    var soak = soaking()
    var ill = canary(at: 70)
    ill.newProblems = ["2 regions are unknown"]
    soak.advance(seen(70, ill))
    #expect(soak.phase == .soak && soak.since == at(70) && soak.reason == "berlin.door has a new problem: 2 regions are unknown")
    var silent = soak
    silent.advance(seen(85, ill))
    #expect(silent.phase == .failed)
    soak.advance(seen(80, canary(at: 80)))
    #expect(soak.reason.isEmpty && soak.since == at(70))
    soak.advance(seen(129, canary(at: 129)))
    #expect(soak.phase == .soak)
    soak.advance(seen(130, canary(at: 130)))
    #expect(soak.phase == .rest)
  }

  @Test("a single failure of many devices does not end the rest, and a tenth does")
  func rest() throws {
    func rest() -> RolloutProgress { RolloutProgress(revision: 7, soak: .zero, phase: .rest, since: Self.start) }
    for (confirmed, failed, phase) in [(0, 1, RolloutProgress.Phase.rest), (1, 2, .failed), (18, 2, .rest), (17, 2, .failed)] {
      var progress = rest()
      progress.advance(seen(1, confirmed: confirmed, failed: failed))
      #expect(progress.phase == phase, "\(confirmed) \(failed)")
    }
    var progress = rest()
    progress.advance(seen(1, confirmed: 5, failed: 3))
    #expect(progress.reason == "3 of 8 devices have refused it or rolled it back")
    try progress.resume(seen(2, confirmed: 5, failed: 3))
    progress.advance(seen(3, confirmed: 5, failed: 4))
    #expect(progress.phase == .rest && progress.acceptedFailures == 3)
    progress.advance(seen(4, confirmed: 5, failed: 5))
    #expect(progress.phase == .failed)
  }

  @Test("a rollout that was stopped goes on in its phase with new limits")
  func stopped() throws {
    var progress = soaking()
    let stops = (progress.stop(by: "ada", at: at(20)), progress.stop(by: "ada", at: at(21)))
    #expect(stops.0 && !stops.1)
    progress.advance(seen(200, canary(at: 200)))
    #expect(progress.phase == .stopped && progress.reason == "by ada")
    try progress.resume(seen(201, canary(at: 201)))
    #expect(progress.phase == .soak && progress.since == at(201) && progress.interrupted == nil)
    let active = progress
    #expect(throws: RolloutError.active(7)) {
      var progress = active
      try progress.resume(seen(202, canary(at: 202)))
    }
  }

  @Test("a rollout that failed by silence goes on, and one that a canary will never take does not")
  func resumed() throws {
    var silent = progress
    silent.advance(seen(30, canary("berlin.door", nil, at: 0)))
    try silent.resume(seen(60, canary("berlin.door", nil, at: 59)))
    silent.advance(seen(89, canary("berlin.door", .onTrial, at: 89)))
    #expect(silent.phase == .canary)
    var refused = progress
    refused.advance(seen(1, canary("berlin.door", .refused, at: 1)))
    let failed = refused
    #expect(throws: RolloutError.lost(canary: "berlin.door", isRevoked: false)) {
      var refused = failed
      try refused.resume(seen(2, canary("berlin.door", .refused, at: 2)))
    }
    #expect(failed.phase == .failed)
  }

  @Test("counts in the text of a problem do not make it a new one")
  func problems() {
    #expect(ProblemText.added(["3 of 5 adapters fail", "the disk is full"], to: ["2 of 5 adapters fail"]) == ["the disk is full"])
  }
}
