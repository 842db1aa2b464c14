// Says whether anything is left of location managers that came and went.

import Beaconmon
import Foundation

@main struct ClientProbe {
  static func main() async throws {
    let bus = Bus.address(CommandLine.arguments[1])
    // What the first one brings along for good, such as the runtime's threads.
    try await use([LocationManager(purpose: "Warms up", bus: bus)])
    try await settle(threads: 0)
    let (threads, descriptors) = (try count("task"), try count("fd"))
    for _ in 0..<4 { try await use((0..<25).map { LocationManager(purpose: "Number \($0)", bus: bus) }) }
    try await settle(threads: 0)
    try await settle(descriptors)
    print("threads \(try count("task") <= threads) descriptors \(try count("fd") - descriptors)")
  }

  /// Each ranges until it hears; then all are dropped.
  private static func use(_ managers: [LocationManager]) async throws {
    let constraint = BeaconIdentityConstraint(uuid: UUID())
    for manager in managers {
      for try await _ in manager.rangingUpdates(satisfying: constraint) { break }
    }
  }

  private static func settle(_ descriptors: Int) async throws {
    for _ in 0..<500 where try count("fd") > descriptors { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// Until so many of the library's own threads are left.
  private static func settle(threads: Int) async throws {
    for _ in 0..<500 where try ownThreads() > threads { try await Task.sleep(for: .milliseconds(10)) }
    guard try ownThreads() == threads else { throw Left() }
  }

  private struct Left: Error {}

  private static func ownThreads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { thread in
      // One that ends meanwhile has no name any more.
      (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "beaconmon\n"
    }.count
  }

  private static func count(_ kind: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
  }
}
