import Foundation

/// Reads the lines that a program writes to a pipe. It reads only during a wait, so it needs no second thread.
final class LineReader {
  private(set) var lines: [String] = []
  private(set) var hasEnded = false

  private let pipe: Pipe
  private var rest: [UInt8] = []
  private var nextUnseen = 0

  init(_ pipe: Pipe) {
    self.pipe = pipe
  }

  /// Returns the first line not yet returned that satisfies `condition`, and skips those before it.
  ///
  /// Throws at the deadline and at the end of the output.
  func next(_ description: String = "a line", within limit: TimeInterval = patience, where condition: (String) -> Bool = { _ in true })
    throws -> String
  {
    let deadline = Date(timeIntervalSinceNow: limit)
    while true {
      while nextUnseen < lines.count {
        nextUnseen += 1
        if condition(lines[nextUnseen - 1]) { return lines[nextUnseen - 1] }
      }
      guard !hasEnded, try read(until: deadline) else {
        throw TimeoutError("\(hasEnded ? "the end" : "nothing") came instead of \(description), after:\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  /// Returns once each of the conditions had a line, in any order.
  func next(_ description: String, ofEach conditions: [(String) -> Bool]) throws {
    var awaited = conditions
    _ = try next(description) { line in
      awaited.removeAll { $0(line) }
      return awaited.isEmpty
    }
  }

  /// Returns all lines until the program closes its end.
  func all(within limit: TimeInterval = patience) throws -> [String] {
    let deadline = Date(timeIntervalSinceNow: limit)
    while !hasEnded {
      guard try read(until: deadline) else { throw TimeoutError("the end did not come after:\n\(lines.joined(separator: "\n"))") }
    }
    return lines
  }

  /// Waits for octets; returns false if none came.
  private func read(until deadline: Date) throws -> Bool {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(max(0, deadline.timeIntervalSinceNow) * 1000)) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(descriptor, &chunk, chunk.count)
    hasEnded = count <= 0
    rest += chunk[..<max(0, count)]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeSubrange(...end)
    }
    return true
  }
}
