import Digests
import Instants
import Numerals

// The form of the history in a file: a line for each venue with a checksum of its own, and one for the whole text at the end. Lines that
// are intact survive damage elsewhere, and the end shows whether any is missing.

extension OfferHistory {
  private static let header = "beaconmon-offers 1"
  private static let end = "end"
  private static let absent = "-"

  /// The text of the file.
  public var text: String {
    var text = "\(Self.header)\t\(isUnverified ? 1 : 0)\n"
    for (venue, entry) in entries.sorted(by: { $0.key < $1.key }) where Self.isField(venue) && entry.allowed.map(Self.isField) != false {
      text += Self.checked(Self.line(venue, entry)) + "\n"
    }
    return text + Self.checked("\(Self.end)\t\(Self.checksum(of: text))") + "\n"
  }

  /// Reads the text of a file. A damaged one gives its intact entries, and an unverified history.
  ///
  /// - Returns: whether the text was damaged.
  public static func read(_ text: String) -> (history: OfferHistory, isDamaged: Bool) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let isComplete =
      lines.popLast() == "" && lines.last.flatMap(content) == "\(end)\t\(checksum(of: lines.dropLast().map { $0 + "\n" }.joined()))"
    let verifications: [String: Bool] = ["\(header)\t0": false, "\(header)\t1": true]
    let isIntact = isComplete && lines.first.flatMap { verifications[$0] } != nil
    var entries: [String: Entry] = [:]
    for line in lines {
      guard entries.count < most, let (venue, entry) = content(of: line).flatMap(Self.entry) else { continue }
      entries[venue] = entry
    }
    let isUnverified = isIntact ? lines.first.flatMap { verifications[$0] } ?? true : true
    return (OfferHistory(entries, isUnverified: isUnverified), !isIntact)
  }

  // MARK: Lines

  private static func line(_ venue: String, _ entry: Entry) -> String {
    [
      "venue", venue, entry.isMuted ? "1" : "0", entry.isOffered ? "1" : "0", entry.entered.map { "\($0.microseconds)" } ?? absent,
      entry.left.map { "\($0.microseconds)" } ?? absent, entry.allowed ?? absent,
    ].joined(separator: "\t")
  }

  private static func entry(_ line: String) -> (String, Entry)? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7, fields[0] == "venue", ["0", "1"].contains(fields[2]), ["0", "1"].contains(fields[3]) else { return nil }
    var entry = Entry(isMuted: fields[2] == "1")
    entry.isOffered = fields[3] == "1"
    entry.entered = Int64(fields[4]).map(Instant.init(microseconds:))
    entry.left = Int64(fields[5]).map(Instant.init(microseconds:))
    entry.allowed = fields[6] == absent ? nil : fields[6]
    return (fields[1], entry)
  }

  /// Returns whether a text can be a field of a line.
  private static func isField(_ text: String) -> Bool {
    !text.isEmpty && text != absent && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  // MARK: Checksums

  private static func checked(_ line: String) -> String { "\(line)\t\(checksum(of: line))" }

  /// Returns the line without its checksum; nil if that is wrong.
  private static func content(of line: String) -> String? {
    guard let tab = line.lastIndex(of: "\t") else { return nil }
    let content = String(line[..<tab])
    return line[line.index(after: tab)...] == checksum(of: content) ? content : nil
  }

  /// FNV-1a with 64 bits, in hexadecimal digits.
  private static func checksum(of text: String) -> String { Hexadecimal.digits(FowlerNollVo.hash(text)) }
}
