/// The order in which a program uses the nodes of the broker: a random one first, and the next one after an error.
///
/// Programs that start together spread over the nodes, and a node that is down holds up each program once. The nodes are those of each
/// call, because their number may change between two calls.
public struct NodeRotation: Sendable {
  private var position: Int

  /// - Parameter start: the number of the first node, of which only the rest after a division by the number of nodes counts.
  public init(startingAt start: Int = .random(in: 0...Int(UInt16.max))) { position = start }

  /// Returns the present node.
  ///
  /// - Parameter nodes: at least one.
  public func current<Node>(of nodes: [Node]) -> Node { nodes[position % nodes.count] }

  /// Takes the next node for the following calls.
  public mutating func advance() { position += 1 }

  /// Asks the present node. After an error, the next call asks the next node.
  ///
  /// - Parameter nodes: at least one.
  public mutating func ask<Node, Answer, Problem: Error>(
    _ nodes: [Node], _ question: (Node) throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    do throws(Problem) { return try question(current(of: nodes)) } catch {
      advance()
      throw error
    }
  }

  /// Asks the present node, and then the following ones until one answers, each at most once.
  ///
  /// - Parameter report: takes the error of each node that does not answer.
  /// - Returns: nil if no node answers.
  public mutating func askEach<Node, Answer, Problem: Error>(
    of nodes: [Node], _ question: (Node) throws(Problem) -> Answer, report: (Problem) -> Void
  ) -> Answer? {
    for _ in nodes {
      do throws(Problem) { return try ask(nodes, question) } catch { report(error) }
    }
    return nil
  }
}
