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

  @Test func `a question goes to each node from the present one on, until one answers`() {
    var rotation = NodeRotation(startingAt: 1)
    var (asked, silent): ([String], [Refusal]) = ([], [])
    func ask(_ answering: String?) -> String? {
      rotation.askEach(of: nodes) { node throws(Refusal) in
        asked.append(node)
        guard node == answering else { throw Refusal() }
        return node
      } report: {
        silent.append($0)
      }
    }
    #expect(ask("first") == "first" && asked == ["second", "third", "first"] && silent.count == 2)
    #expect(ask("first") == "first" && asked.count == 4, "the node that answered is the present one")
    #expect(ask(nil) == nil && asked.suffix(3) == ["first", "second", "third"] && silent.count == 5)
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
