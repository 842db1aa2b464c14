import BrokerDefinitions
import Partitions
import Testing

@Suite struct QueueMembersTests {
  private let three = #"{"cluster_name":"r","disk_nodes":["r1@a", "r2@a","r3@a"],"ram_nodes":[]}"#

  @Test("queues that were made before nodes joined have a warning, and queues of other programs have none")
  func lacking() throws {
    let map = try #require(QueueMap(queues: 2))
    func warning(_ queues: String, status: String? = nil) throws -> String? {
      try #require(QueueMembers(status: status ?? three, queues: queues)).warning(map)
    }
    let one = "fleet.1\t[r1@a]\nfleet.0\t[r1@a]\nother\t[r1@a]\nmqtt-subscription\t[]\n"
    #expect(
      try warning(one)
        == "queue fleet.0 and 1 more: 1 of 3 nodes have its messages; run \"rabbitmq-queues grow NODE all\" for each other node")
    #expect(try warning("fleet.0\t[r1@a, r2@a, r3@a]\nfleet.1\t[r3@a, r1@a]\n")?.hasPrefix("queue fleet.1: 2 of 3 nodes") == true)
    #expect(try warning("fleet.0\t[r1@a, r2@a, r3@a]\nother\t[r1@a]\n") == nil)
    #expect(try warning(one, status: #"{"disk_nodes":["r1@a"]}"#) == nil)
    #expect(try warning("fleet.0\t[r1@a, r2@a, r3@a]\n", status: #"{"disk_nodes":["a","b","c","d","e"]}"#) == nil)
  }

  @Test("the number of nodes decides whether queues can lack some")
  func nodes() {
    #expect(QueueMembers.nodes(status: three) == 3 && QueueMembers.nodes(status: #"{"disk_nodes":["a"]}"#) == 1)
    #expect(QueueMembers.nodes(status: "{}") == nil)
  }

  @Test("another output is not a table of members")
  func foreign() {
    #expect(QueueMembers(status: "{}", queues: "") == nil && QueueMembers(status: three, queues: "fleet.0\tr1") == nil)
  }
}
