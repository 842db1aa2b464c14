import ClientCommands
import Testing

@Suite struct ShareDifferenceTests {
  private struct Share: Hashable, Identifiable {
    let id: String
    var place = "hall"
  }

  private let ada = Share(id: "ada")
  private let ben = Share(id: "ben")
  private let eva = Share(id: "eva")

  @Test func `a share that is new or has another place is a change, in the order of the list`() {
    let moved = Share(id: "ada", place: "shop")
    let difference = ShareDifference(from: [ada, ben], to: [eva, ben, moved])
    #expect(difference.changed == [eva, moved] && difference.ended.isEmpty)
  }

  @Test func `a share that is not listed any more has ended, in the order of the earlier list`() {
    let difference = ShareDifference(from: [eva, ada, ben], to: [ada])
    #expect(difference.ended == [eva, ben] && difference.changed.isEmpty)
    #expect(ShareDifference(from: [ada], to: []).ended == [ada], "the notifier has stopped")
  }

  @Test func `the same shares in another order are not a difference`() {
    let difference = ShareDifference(from: [ada, ben], to: [ben, ada])
    #expect(difference.changed.isEmpty && difference.ended.isEmpty)
  }
}
