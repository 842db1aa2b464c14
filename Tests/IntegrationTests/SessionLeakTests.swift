import Foundation
import TestSupport
import Testing

/// Sessions that open and close leave nothing behind.
@Suite struct SessionLeakTests {
  @Test func `sessions that were opened and dropped do not grow the daemon`() throws {
    let scene = try SessionScene()
    let churn = try RunningProgram(Programs.python, [Programs.peer("churn.py"), scene.stage.bus.address])
    func open(_ count: Int) throws {
      try churn.input.write(contentsOf: Data("\(count)\n".utf8))
      _ = try churn.output.next("\(count) sessions", within: Soak.isOn ? 900 : 120)
    }
    // The first sessions let tables and the heap grow to their size.
    try open(1600)
    let before = try MemoryStatus(scene.daemon.pid)
    let count = Soak.isOn ? 100_000 : 8000
    try open(count)
    // The daemon's answer shows that it has noticed the end of the last connection.
    try scene.client.ping()
    let after = try MemoryStatus(scene.daemon.pid)
    print("beaconmond: \(before) before, \(after) after \(count) sessions")
    #expect(after.anonymousKiB - before.anonymousKiB <= 512)
    scene.daemon.signal(SIGTERM)
  }
}
