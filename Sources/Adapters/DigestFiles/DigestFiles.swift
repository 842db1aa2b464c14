import Digests
import EventLoop
import FleetMessages
import FleetReporting
import Glibc
import Logging
import SQLite

/// Files of digests in a folder: one for each batch, with a version and a checksum.
///
/// The name of a file has its number and the number of its messages, such as `digests-000000000012-60`. A file that is damaged, or of a
/// later version, is moved aside.
public final class DigestFiles: DigestStore {
  /// The beginning of a file; the last octet is the version.
  private static let head = Array("bmdigest".utf8) + [1]
  private static let prefix = "digests-"
  private static let hashSize = 32
  /// The largest file that is read. Batches are smaller.
  private static let largest = 16 << 20
  /// The largest number of a file, which has 12 digits. A file with a greater one is not of this program.
  private static let largestNumber: Int64 = 999_999_999_999

  private let folder: String
  private let log: Logger
  private var last: Int64 = 0

  /// - Parameter folder: the folder of the notifier's state, which exists.
  public init(folder: String, log: Logger) {
    (self.folder, self.log) = (folder, log)
    last = batches().last?.number ?? 0
  }

  public func batches() -> [StoredDigests] {
    Folder.names(in: folder).compactMap { name in
      let parts = name.split(separator: "-", omittingEmptySubsequences: false)
      guard name.hasPrefix(Self.prefix), parts.count == 3, let number = Int64(parts[1]), let count = Int(parts[2]),
        (0...Self.largestNumber).contains(number),
        (0...Self.largest).contains(count)
      else { return nil }
      let batch = StoredDigests(number: number, count: count, size: 0)
      var status = stat()
      guard path(of: batch) == "\(folder)/\(name)", lstat(path(of: batch), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return nil
      }
      return StoredDigests(number: number, count: count, size: Int(status.st_size))
    }
    .sorted { $0.number < $1.number }
  }

  public func write(_ messages: [FleetMessage]) throws(DigestStoreError) -> StoredDigests {
    var octets = Self.head
    for message in messages {
      let message = message.octets
      octets += [UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)]
      octets += message
    }
    octets += SHA256.hash(octets)
    let batch = StoredDigests(number: last + 1, count: messages.count, size: octets.count)
    do throws(SystemCallError) { try NewFile(of: path(of: batch), octets: octets, mode: 0o600).install() } catch {
      throw DigestStoreError("\(error)", isFull: [ENOSPC, EDQUOT].contains(error.code))
    }
    last += 1
    return batch
  }

  public func read(_ batch: StoredDigests) -> StoredContent {
    let path = path(of: batch)
    do throws(FileError) { return .messages(try messages(in: path)) } catch {
      // Such as too many open files.
      guard error.isDamage else { return .unavailable("\(path): \(error.reason)") }
      let copy = UnreadableFile.moveAside(path)
      if copy == nil { unlink(path) }
      let consequence = copy.map { ", and the file was moved to \($0)" } ?? ""
      log.error("\(path): \(error.reason); its \(batch.count) digests are lost for the hub\(consequence)")
      return .lost
    }
  }

  public func remove(_ batch: StoredDigests) { unlink(path(of: batch)) }

  private func path(of batch: StoredDigests) -> String {
    let number = String(batch.number)
    return "\(folder)/\(Self.prefix)\(String(repeating: "0", count: max(0, 12 - number.utf8.count)))\(number)-\(batch.count)"
  }
}

// MARK: Reading

extension DigestFiles {
  private struct FileError: Error {
    let reason: String
    /// Whether the content is wrong, so that the file is worth keeping for an analysis.
    var isDamage = true
  }

  private func messages(in path: String) throws(FileError) -> [FleetMessage] {
    let octets = try Self.octets(of: path)
    guard octets.count >= Self.head.count + Self.hashSize, octets.prefix(Self.head.count - 1) == Self.head.dropLast() else {
      throw FileError(reason: "is not a file of digests")
    }
    guard octets[Self.head.count - 1] == Self.head.last else { throw FileError(reason: "has another version than this program writes") }
    let content = octets.dropLast(Self.hashSize)
    guard SHA256.hash(Array(content)) == Array(octets.suffix(Self.hashSize)) else { throw FileError(reason: "is damaged") }
    var rest = content.dropFirst(Self.head.count)
    var messages: [FleetMessage] = []
    while rest.count >= 2 {
      let size = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
      rest = rest.dropFirst(2)
      guard rest.count >= size else { throw FileError(reason: "ends within a digest") }
      do throws(FleetMessageError) { messages.append(try FleetMessage(Array(rest.prefix(size)))) } catch {
        throw FileError(reason: "\(error)")
      }
      rest = rest.dropFirst(size)
    }
    return messages
  }

  private static func octets(of path: String) throws(FileError) -> [UInt8] {
    let octets: [UInt8]
    do throws(SystemCallError) { octets = try FileContent.octets(of: path, limit: largest + 1, followsLinks: false) } catch {
      throw FileError(reason: SystemCallError.text(of: error.code), isDamage: error.code == ENOENT)
    }
    guard octets.count <= largest else { throw FileError(reason: "is larger than a file of digests") }
    return octets
  }
}
