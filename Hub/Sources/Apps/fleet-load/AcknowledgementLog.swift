import ArgumentParser
import FleetMessages
import Glibc
import Numerals

/// The file with the acknowledged messages.
struct AcknowledgementLog {
  private let file: UnsafeMutablePointer<FILE>

  init(path: String) throws {
    guard let file = fopen(path, "w") else { throw ValidationError("\(path): \(String(cString: strerror(errno)))") }
    self.file = file
  }

  /// Notes a message with the time of its acknowledgement in milliseconds since 1970 and the port of the node.
  func note(_ message: FleetMessage, of address: FleetAddress, at time: Int64, port: Int32) {
    let journal = Hexadecimal.digits(message.journal.high) + Hexadecimal.digits(message.journal.low)
    fputs(
      "\(address.site)\t\(address.device)\t\(message.stream.rawValue)\t\(journal)\t\(message.sequence)\t\(time)\t\(port)\n",
      file)
  }

  func close() { fclose(file) }
}
