import BrokerDefinitions
import Testing

@Suite struct NodeRotationTests {
  private struct Refusal: Error {}

  private let nodes = ["first", "second", "third"]

  @Test func `a program keeps its node while the node answers`() {
    var rotation = NodeRotation(startingAt: 1)
    #expect((0..<3).map { _ in rotation.ask(nodes) { $0 } } == ["second", "second", "second"])
  }

  @Test func `the next node follows an error, and the first one follows the last`() {
    var rotation = NodeRotation(startingAt: 1)
    var asked: [String] = []
    for _ in 0..<4 {
      #expect(throws: Refusal.self) {
        try rotation.ask(nodes) { node in
          asked.append(node)
          throw Refusal()
        }
      }
    }
    #expect(asked == ["second", "third", "first", "second"] && rotation.current(of: nodes) == "third")
  }

  @Test func `each session takes the node after that of the last one`() {
    var rotation = NodeRotation(startingAt: 5)
    let taken = (0..<4).map { _ in
      defer { rotation.advance() }
      return rotation.current(of: nodes)
    }
    #expect(taken == ["third", "first", "second", "third"])
  }

  @Test func `a list of nodes that becomes shorter has a present node`() {
    var rotation = NodeRotation(startingAt: 2)
    #expect(rotation.ask(nodes) { $0 } == "third")
    #expect(rotation.ask(["first", "second"]) { $0 } == "first")
  }

  @Test func `programs begin with different nodes`() {
    #expect(Set((0..<100).map { _ in NodeRotation().current(of: nodes) }) == Set(nodes))
  }
}
