import ClientCommands
import Events
import Failures
import Testing

@Suite struct RegionFollowingTests {
  private final class Output: RegionFollowingOutput {
    var isClosed = false
    private(set) var log: [String] = []

    func begin(with regions: [RegionStatus]) { log.append("states of \(regions.count)") }

    func show(_ events: [Event]) { log += events.map { "event \($0.sequence)" } }

    func note(_ text: String) { log.append(text) }
  }

  private static func events(_ sequences: UInt64...) -> [Event] { sequences.map { Event(sequence: $0, kind: .enter, region: "hall") } }

  private let output = Output()

  @Test func `events that come before the states follow them, each once and in order`() {
    let following = RegionFollowing(showsStates: true, output: output)
    following.take(Self.events(1, 2))
    following.take(Self.events(3))
    #expect(output.log.isEmpty)
    following.take(.success([RegionStatus()]))
    following.take(Self.events(4))
    #expect(output.log == ["states of 1", "event 1", "event 2", "event 3", "event 4"])
  }

  @Test func `events follow the reason when the states are unavailable`() {
    let following = RegionFollowing(showsStates: true, output: output)
    following.take(Self.events(1))
    following.take(.failure(Failure(.unavailable, "access denied")))
    #expect(output.log == ["the state of the regions is unavailable: access denied", "event 1"])
  }

  @Test func `events without states are shown at once`() {
    let following = RegionFollowing(showsStates: false, output: output)
    following.take(Self.events(1))
    #expect(output.log == ["event 1"])
  }

  @Test func `a reader that closes the output ends the command`() {
    let following = RegionFollowing(showsStates: true, output: output)
    var ends = 0
    following.onEnd = { ends += 1 }
    following.take(.success([]))
    following.take(Self.events(1))
    #expect(ends == 0)
    output.isClosed = true
    following.take(Self.events(2))
    #expect(ends == 1)
  }
}
