import Instants
import Testing

@testable import People

@Suite struct AttemptLimitsTests {
  private let start = Instant(microseconds: 0)

  /// The limits, which an expectation may change.
  private final class Attempts {
    private var limits = AttemptLimits()

    func take(client: String, name: String, at now: Instant) -> Bool { limits.take(client: client, name: name, at: now) }

    func forgive(client: String, name: String) { limits.forgive(client: client, name: name) }
  }

  @Test func `a client has five attempts a minute`() {
    let limits = Attempts()
    for second in 0..<5 { #expect(limits.take(client: "192.0.2.1", name: "n\(second)", at: start + .seconds(Double(second)))) }
    #expect(!limits.take(client: "192.0.2.1", name: "ada", at: start + .seconds(59)))
    #expect(limits.take(client: "192.0.2.2", name: "ada", at: start + .seconds(59)))
    #expect(limits.take(client: "192.0.2.1", name: "ada", at: start + .seconds(61)))
  }

  @Test func `many clients have a limit for a name, which one client does not reach`() {
    let limits = Attempts()
    var allowed = 0
    for second in 0..<600 where limits.take(client: "192.0.2.1", name: "ada", at: start + .seconds(Double(second))) { allowed += 1 }
    #expect(allowed <= 50)
    for client in 0..<100 { _ = limits.take(client: "198.51.100.\(client)", name: "Ada", at: start + .seconds(599)) }
    #expect(!limits.take(client: "203.0.113.1", name: "ada", at: start + .seconds(599)))
    #expect(limits.take(client: "203.0.113.1", name: "bob", at: start + .seconds(599)))
    #expect(limits.take(client: "203.0.113.1", name: "ada", at: start + .seconds(1300)))
  }

  @Test func `right passwords do not count`() {
    let limits = Attempts()
    for _ in 0..<50 {
      #expect(limits.take(client: "192.0.2.1", name: "ada", at: start))
      limits.forgive(client: "192.0.2.1", name: "ada")
    }
  }

  @Test func `further clients count together while the table of clients is full, and further names are not counted`() {
    let limits = Attempts()
    for client in 0..<AttemptLimits.mostKeys { _ = limits.take(client: "client \(client)", name: "name \(client)", at: start) }
    var allowed = 0
    for client in 0..<200 where limits.take(client: "another \(client)", name: "ada", at: start + .seconds(1)) { allowed += 1 }
    #expect(allowed == AttemptLimits.ofOthers)
    limits.forgive(client: "another 1", name: "ada")
    #expect(limits.take(client: "another 1", name: "ada", at: start + .seconds(2)))
    #expect(!limits.take(client: "another 1", name: "ada", at: start + .seconds(2)))
    #expect(limits.take(client: "another 1", name: "ada", at: start + .seconds(62)))
  }
}
