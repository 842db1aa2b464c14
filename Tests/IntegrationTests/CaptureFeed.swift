import Foundation
import TestSupport

/// A FIFO to which a test writes a capture, sighting by sighting, while the daemon plays it.
final class CaptureFeed {
  let path: String
  private let descriptor: Int32
  private var isOpen = true

  /// Creates the FIFO and writes the header of a capture.
  init(_ stage: Stage, named name: String = "feed", header: [UInt8] = CaptureOctets.header()) throws {
    path = stage.folder.file(name)
    guard mkfifo(path, 0o600) == 0 else { throw TimeoutError("\(path) cannot be made: errno \(errno)") }
    // Opened for both directions, the FIFO need not wait for the reader, and written octets stay until one comes.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw TimeoutError("\(path) cannot be opened: errno \(errno)") }
    try write(header)
  }

  deinit {
    end()
  }

  func hear(minor: UInt16 = 1, at second: Double, rssi: Int8 = -59) throws {
    try write(CaptureOctets.sighting(minor: minor, at: second, rssi: rssi))
  }

  func write(_ octets: [UInt8]) throws {
    guard Foundation.write(descriptor, octets, octets.count) == octets.count else { throw TimeoutError("\(path) does not take more") }
  }

  /// The number of octets that the daemon has not read yet.
  var unread: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Returns once the daemon has read all written octets, so that its other inputs come later.
  func waitUntilRead(by client: BusClient) throws {
    try wait(for: "the daemon to read") { unread == 0 }
    try client.ping()
  }

  /// Closes the writing end.
  func end() {
    if isOpen { close(descriptor) }
    isOpen = false
  }
}
