// Says whether anything is left of location managers that came and went; without an argument, what a location costs on a session bus that
// is not there.

import Beaconmon
import Foundation

@main struct ClientProbe {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else { return await locate() }
    let bus = Bus.address(CommandLine.arguments[1])
    // What comes along for good: the runtime's timers and threads.
    try await Task.sleep(for: .milliseconds(10))
    try await use([LocationManager(purpose: "Warms up", bus: bus)])
    try await waitForEnd()
    let before = try descriptors()
    for _ in 0..<4 { try await use((0..<25).map { LocationManager(purpose: "Number \($0)", bus: bus) }) }
    try await waitForEnd()
    // One answer for both: asking again could meet a descriptor that the runtime has for a moment.
    var after = try descriptors()
    for _ in 0..<1000 where after.count > before.count {
      // For at most 10 s, and goes on as soon as they are closed.
      try await Task.sleep(for: .milliseconds(10))
      after = try descriptors()
    }
    print("threads \(try ownThreads()) descriptors \(after.count > before.count ? "\(before) became \(after)" : "as before")")
  }

  private static func locate() async {
    do throws(LocationError) {
      print(try await LocationManager(purpose: "Looks for itself", bus: .session).currentLocation(timeout: .milliseconds(100)))
    } catch {
      print(error.message)
    }
  }

  /// Each ranges until it hears; then all are dropped.
  private static func use(_ managers: [LocationManager]) async throws {
    let constraint = BeaconIdentityConstraint(uuid: UUID())
    for manager in managers {
      for try await _ in manager.rangingUpdates(satisfying: constraint) { break }
    }
  }

  /// Until none of the library's own threads is left.
  private static func waitForEnd() async throws {
    // Asks every 10 ms for at most 10 s: beside the other tests a thread may wait long for a processor.
    for _ in 0..<1000 where try ownThreads() > 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  private static func ownThreads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { thread in
      // One that ends meanwhile has no name any more.
      (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "beaconmon\n"
    }.count
  }

  /// The target of each open descriptor.
  ///
  /// The library itself has no timerfd: libdispatch makes one for each clock, at any time, and keeps it.
  private static func descriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
      // The one that the folder is read through is gone by now.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    }.filter { $0 != "anon_inode:[timerfd]" }
  }
}
