import Foundation
import Testing

/// Whether the long tests run at their full length: `make soak`.
enum Soak {
  static let isOn = ProcessInfo.processInfo.environment["BEACONMON_SOAK"] != nil
}

/// The resident memory of a process, from /proc/PID/status: proc(5).
struct MemoryStatus: CustomStringConvertible {
  /// Heap and stacks: the memory that the process allocated. A leak grows here.
  let anonymousKiB: Int
  /// Pages of programs and libraries. The kernel maps more of them as more of the code runs, up to the size of the files.
  let fileKiB: Int

  init(_ pid: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    func value(_ name: String) throws -> Int {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
    anonymousKiB = try value("RssAnon")
    fileKiB = try value("RssFile")
  }

  var description: String { "\(anonymousKiB) KiB anonymous and \(fileKiB) KiB of files" }
}
