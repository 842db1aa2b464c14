import Digests
public import Instants
import Locations
import Records

/// The answers of a server, of a bounded number, for some time.
///
/// Answers are stored with the time of the clock on the wall. Those that are too old then are removed when an answer is stored.
public struct AddressCache: Hashable, Sendable {
  /// The maximum number of answers. The ones that were not used for the longest time are forgotten first.
  public static let most = 512
  /// The time for which an address is used.
  public static let lifetime = Span.seconds(30 * 86_400)
  /// The time for which a place counts as one without an address.
  public static let emptyLifetime = Span.seconds(86_400)

  /// An answer.
  private struct Entry: Hashable {
    /// Nil if the server knows no address there.
    let address: PostalAddress?
    /// The time at which it arrived, since the Unix epoch.
    let time: Instant
    /// The number of the last use; larger is later.
    var use: UInt64

    /// Whether the answer may be used. A clock that has jumped makes it as old as it seems to come from the future.
    func isCurrent(at now: Instant) -> Bool {
      (time < now ? now - time : time - now) < (address == nil ? AddressCache.emptyLifetime : AddressCache.lifetime)
    }
  }

  /// The address of the server whose answers these are.
  public let server: String
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  public init(server: String) {
    self.server = server
  }

  public var count: Int { entries.count }

  /// Returns the answer to a query; nil if it must be asked. The inner value is nil if the place has no address.
  public mutating func answer(to query: AddressQuery, at time: Instant) -> PostalAddress?? {
    guard let entry = entries[query.key], entry.isCurrent(at: time) else { return nil }
    uses += 1
    entries[query.key]?.use = uses
    return .some(entry.address)
  }

  /// Stores the answer to a query, and forgets all that are too old: they say where the device was.
  public mutating func store(_ address: PostalAddress?, for query: AddressQuery, at time: Instant) {
    entries = entries.filter { $0.value.isCurrent(at: time) }
    insert(Entry(address: address, time: time, use: 0), query.key)
  }

  private mutating func insert(_ entry: Entry, _ key: String) {
    uses += 1
    entries[key] = Entry(address: entry.address, time: entry.time, use: uses)
    while entries.count > Self.most, let oldest = entries.min(by: { $0.value.use < $1.value.use }) { entries[oldest.key] = nil }
  }
}

// MARK: The form in a file: a line for each answer, with a checksum of its own

extension AddressCache {
  private static let header = "beaconmon-addresses 1"

  /// The text of the file.
  public var text: String {
    var text = Self.checked("\(Self.header)\t\(server)")
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      text += Self.checked("\(key)\t\(entry.time.microseconds)\t\(entry.address?.record.json ?? "-")")
    }
    return text
  }

  /// Reads the text of a file. Lines that are damaged are skipped, and so are the answers of another server.
  public init(text: String, server: String) {
    self.init(server: server)
    var lines = text.split(separator: "\n").makeIterator()
    guard Self.server(ofText: text) == server else { return }
    _ = lines.next()
    while let line = lines.next() {
      guard let parts = Self.content(line)?.split(separator: "\t", omittingEmptySubsequences: false), parts.count == 3,
        let time = Int64(parts[1]), let address = Self.address(String(parts[2]))
      else { continue }
      insert(Entry(address: address, time: Instant(microseconds: time), use: 0), String(parts[0]))
    }
  }

  /// Returns the server whose answers a text contains; nil for other texts.
  public static func server(ofText text: String) -> String? {
    guard let content = text.split(separator: "\n", maxSplits: 1).first.flatMap(content), content.hasPrefix("\(header)\t") else {
      return nil
    }
    return String(content.dropFirst(header.count + 1))
  }

  private static func address(_ text: String) -> PostalAddress?? {
    if text == "-" { return .some(nil) }
    do throws(JSONError) {
      return .some(PostalAddress(try Record(json: text)))
    } catch {
      return nil
    }
  }

  private static func checked(_ line: String) -> String { "\(checksum(of: line))\t\(line)\n" }

  private static func content(_ line: Substring) -> String? {
    guard let tab = line.firstIndex(of: "\t"), case let content = String(line[line.index(after: tab)...]),
      line[..<tab] == checksum(of: content)
    else { return nil }
    return content
  }

  /// FNV-1a.
  private static func checksum(of text: String) -> String { String(FowlerNollVo.hash(text), radix: 16) }
}
