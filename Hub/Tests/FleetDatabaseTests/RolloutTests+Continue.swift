import FleetMessages
import FleetRollouts
import Testing

@testable import FleetDatabase

extension RolloutTests {
  @Test("a rollout does not continue beside another one at its sites, or after a newer one")
  func resumedLate() throws {
    func refusal(_ revision: Int64) -> String {
      do { return "\(try rollouts.resume(revision, by: "root").phase)" } catch { return "\(error)" }
    }
    try start(7, soak: 0)
    step()
    _ = try rollouts.stop(7, by: "root")
    try start(8, to: "paris", canary: "paris.door")
    #expect(try rollouts.resume(7, by: "root").phase == .canary)
    _ = try rollouts.stop(7, by: "root")
    try start(9, to: "berlin.hall", canary: "berlin.hall")
    step()
    #expect(refusal(7) == "rollout 9 is still tried by its canaries, also for berlin; wait for it, or stop it first")
    try report("berlin.hall", 9, .confirmed)
    for _ in 0..<2 { try pass("1 hour"); step() }
    #expect(
      refusal(7)
        == "rollout 9 is newer and is sent to all of its devices, also at berlin, which take no older one; sign this one again with a greater revision"
    )
    _ = try rollouts.stop(9, by: "root")
    #expect(refusal(7) == "canary")
    _ = try rollouts.stop(7, by: "root")
    try start(10)
    step()
    _ = try rollouts.stop(10, by: "root")
    #expect(
      refusal(7)
        == "the canary berlin.door has got rollout 10, which is newer, and takes no older one; sign this one again with a greater revision")
    // The canary of 8 has not confirmed it in time.
    #expect(try phases == ["7\tstopped", "8\tfailed", "9\tstopped", "10\tstopped"])
  }
}
