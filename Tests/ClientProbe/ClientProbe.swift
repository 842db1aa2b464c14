// Reports whether location managers leave anything behind after their release. Without an argument, reports the error of a location
// request on a missing session bus, and with a second argument that of a request for the events of expected beacons.

import Beaconmon
import Foundation

@main struct ClientProbe {
  static func main() async throws {
    guard CommandLine.arguments.count > 1 else { return await locate() }
    let bus = Bus.address(CommandLine.arguments[1])
    guard CommandLine.arguments.count == 2 else { return await followExpectedBeacons(bus) }
    // The runtime's timers and threads stay for good.
    try await Task.sleep(for: .milliseconds(10))
    try await use([LocationManager(purpose: "Warms up", bus: bus)])
    try await waitForEnd()
    let before = try descriptors()
    for _ in 0..<4 { try await use((0..<25).map { LocationManager(purpose: "Number \($0)", bus: bus) }) }
    try await waitForEnd()
    // The descriptors are read once for both checks: a second read could meet a descriptor that the runtime has open for a moment.
    var after = try descriptors()
    for _ in 0..<1000 where after.count > before.count {
      // Waits at most 10 s, and continues as soon as the descriptors are closed.
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

  private static func followExpectedBeacons(_ bus: Bus) async {
    do throws(LocationError) {
      for try await update in LocationManager(purpose: "Looks after beacons", bus: bus).expectedBeaconUpdates { print(update) }
    } catch {
      print("\(error.code): \(error.message)")
    }
  }

  /// Ranges with each manager until it receives beacons, and then releases all.
  private static func use(_ managers: [LocationManager]) async throws {
    let constraint = BeaconIdentityConstraint(uuid: UUID())
    for manager in managers {
      for try await _ in manager.rangingUpdates(satisfying: constraint) { break }
    }
  }

  /// Waits until none of the library's own threads is left.
  private static func waitForEnd() async throws {
    // Polls every 10 ms for at most 10 s: other tests may keep the processor busy for long.
    for _ in 0..<1000 where try ownThreads() > 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  private static func ownThreads() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { thread in
      // A thread that ends meanwhile has no name any more.
      (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "beaconmon\n"
    }.count
  }

  /// The target of each open descriptor.
  ///
  /// The library itself has no timerfd: libdispatch makes one for each clock, at any time, and keeps it.
  private static func descriptors() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
      // The descriptor of the folder itself is closed by now.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    }.filter { $0 != "anon_inode:[timerfd]" }
  }
}
