import Failures
import HTTPMessages
import Instants
import LocalEndpoints
import Testing

@testable import WebPage

@Suite struct PageServerTests {
  /// The places of a machine, of which each has room for one server.
  private final class Machine {
    final class Server {
      let place: String
      private let machine: Machine

      init(_ place: String, _ machine: Machine) {
        (self.place, self.machine) = (place, machine)
        machine.open.append(place)
      }

      deinit { machine.open.removeAll { $0 == place } }
    }

    /// The places of the servers that listen.
    var open: [String] = []
    /// The places that another program has taken.
    var taken: Set<String> = []

    func server(at place: String) -> PageServer<String> {
      PageServer(at: place) { [unowned self] place throws(Failure) in
        guard !taken.contains(place), open.isEmpty else { throw Failure(.unavailable, "\(place) is taken") }
        return Server(place, self)
      }
    }
  }

  @Test func `a server moves to another endpoint, and listens on one at a time`() throws {
    let machine = Machine()
    let server = machine.server(at: "a")
    try server.listen()
    #expect(try server.move(to: "b"))
    #expect(machine.open == ["b"] && server.place == "b")
    #expect(try !server.move(to: "b"))
    server.close()
    #expect(machine.open.isEmpty && !server.isListening)
  }

  @Test func `an endpoint that is in use leaves the server where it was`() throws {
    let machine = Machine()
    let server = machine.server(at: "a")
    try server.listen()
    machine.taken = ["b"]
    #expect(throws: Failure(.unavailable, "b is taken")) { try server.move(to: "b") }
    #expect(machine.open == ["a"] && server.place == "a" && server.isListening)
    machine.taken = []
    #expect(try server.move(to: "b"))
    #expect(machine.open == ["b"])
  }

  @Test func `a server that has lost both endpoints listens again after the next move, even on the previous one`() throws {
    let machine = Machine()
    let server = machine.server(at: "a")
    try server.listen()
    machine.taken = ["a", "b"]
    #expect(throws: Failure(.unavailable, "b is taken; the place before is lost too: a is taken")) { try server.move(to: "b") }
    #expect(!server.isListening && machine.open.isEmpty)
    machine.taken = []
    #expect(try server.move(to: "a"))
    #expect(machine.open == ["a"] && server.isListening)
  }

  @Test func `only on a network does an address have a limit of connections`() {
    let (local, network) = (WebPage.limits(at: .local(.port(.ipv6, 8463))), WebPage.limits(at: .network("192.168.1.5", 8463)))
    #expect(local.connections == 256 && local.connectionsOfAddress == nil)
    #expect(network.connections == 256 && network.connectionsOfAddress == 48)
    #expect(local.contentSize == 4 << 20 && network.contentSize == local.contentSize)
    #expect(local.idle == .seconds(10) && local.duration == .seconds(60))
  }
}
