import Foundation

/// The longest wait of a test in seconds: far more than a busy machine needs.
let patience: TimeInterval = 30

/// The error when a wait has timed out.
struct TimeoutError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Polls until `condition` holds, for things without change notifications, such as a file or a process.
func wait(for description: String, within limit: TimeInterval = patience, until condition: () throws -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: limit)
  while try !condition() {
    guard deadline.timeIntervalSinceNow > 0 else { throw TimeoutError("\(description) did not come") }
    // Polls until the deadline.
    usleep(2000)
  }
}

/// Polls until an asynchronous `condition` holds, beside tasks of the test that need its thread.
func eventually(_ description: String, within limit: TimeInterval = patience, until condition: () async throws -> Bool) async throws {
  let deadline = Date(timeIntervalSinceNow: limit)
  while try await !condition() {
    guard deadline.timeIntervalSinceNow > 0 else { throw TimeoutError("\(description) did not come") }
    // Polls until the deadline.
    try await Task.sleep(for: .milliseconds(5))
  }
}
