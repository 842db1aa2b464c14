import ClientCommands
import Failures
import Records
import ShareReports
import Status
import Testing

@Suite struct ShareAnswerTests {
  private static let offers = [("6f0c", "ada"), ("77aa", "bob"), ("88bb", "bob")].compactMap { id, owner in
    FriendReport(Record(["id": .text(id), "owner": .text(owner), "state": .text("accepted")]))
  }

  private func answer(
    _ name: String, id: String? = nil, among offers: [FriendReport] = offers, hasListed: Bool? = true, trouble: String? = nil
  ) throws(Failure) -> ShareAnswer {
    let hub = hasListed.map { HubStatus(isConnected: $0, trouble: trouble, hasListedShares: $0) }
    return try ShareAnswer(named: name, id: id, among: offers, hub: hub)
  }

  @Test func `the first answer has the one share of a name`() throws {
    let answer = try answer("ada")
    #expect(answer.share?.id == "6f0c" && answer.isComplete && answer.trouble == nil)
  }

  @Test func `a share that is followed is found by its id, even when several have its name`() throws {
    #expect(try answer("bob", id: "88bb").share?.id == "88bb")
    #expect(try answer("bob", id: "0000") == ShareAnswer(nil, isComplete: true))
  }

  @Test func `a name of no share or of several ones is a failure of the command line`() {
    #expect(throws: Failure(.usage, "there is no offer of \"eve\" to this device; \"beaconmon friends list\" lists the offers")) {
      try answer("eve")
    }
    #expect(throws: Failure(.usage, "\"bob\" has 2 shares; write the beginning of an id: 77aa, 88bb")) { try answer("bob") }
  }

  @Test func `a missing name is not a failure before the hub has listed the shares`() throws {
    let answer = try answer("eve", among: [], hasListed: false, trouble: "the hub is away")
    #expect(answer == ShareAnswer(nil, isComplete: false, trouble: "the hub is away"))
  }

  @Test func `the list of a notifier without a state of the hub counts, and is never complete`() throws {
    #expect(try answer("ada", hasListed: nil) == ShareAnswer(FollowedShare(id: "6f0c", isAccepted: true, place: nil), isComplete: false))
    #expect(throws: Failure.self) { try answer("eve", hasListed: nil) }
  }

  @Test func `a share of this device is found by the beginning of its id, and a single one without it`() throws {
    var shares = ["1f0c", "1f77"].map { id in
      var share = OwnShareReport()
      share.id = id
      return share
    }
    #expect(try shares.one(withID: "1F0") == "1f0c")
    let advice = "\"beaconmon share list\" lists them, and --all ends all"
    for beginning in ["1f", nil] {
      #expect(throws: Failure(.usage, "2 shares match; \(advice)")) { try shares.one(withID: beginning) }
    }
    #expect(throws: Failure(.usage, "there is no such share; \(advice)")) { try shares.one(withID: "2") }
    shares.removeLast()
    #expect(try shares.one(withID: nil) == "1f0c")
  }
}
