import Foundation
import Testing

/// Whether the long tests run at their full length: `make soak`.
enum Soak {
  static let isOn = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil
}

/// /proc/PID/status: proc(5).
struct MemoryStatus {
  let residentKiB: Int

  init(_ pid: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    residentKiB = try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }
}
