import Glibc

/// Reads the rows of a database page by page without SQLite, so that a damaged page costs only its own rows.
///
/// The formats are those of https://sqlite.org/fileformat2.html. A page does not name the table of its rows; the caller recognises it by
/// the values and the checksum. A write-ahead log is read up to its last commit. Its own checksums are ignored, because rows have theirs.
public final class PageScan {
  /// A row of a table; for a table without row ids, its key and then its other columns.
  public struct Row: Hashable, Sendable {
    /// The row id; `nil` for a row of a table WITHOUT ROWID or of an index.
    public let id: Int64?
    /// The values; an INTEGER PRIMARY KEY is NULL, because it is the row id.
    public let values: [DatabaseValue]
  }

  private static let mostColumns = 64

  /// The file; `nil` if only its log is left.
  private let database: RawFile?
  private let log: RawFile?
  private let pageSize: Int
  /// The offsets of the versions of each page in the log, the last one first.
  private let logged: [Int: [Int]]

  /// Throws `cannotOpen` if the file cannot be read at all.
  public init(path: String) throws(DatabaseError) {
    let database = RawFile(path)
    let reason = String(cString: strerror(errno))
    let log = RawFile(path + "-wal")
    guard database != nil || log != nil else { throw DatabaseError(.cannotOpen, path: path, message: reason) }
    self.database = database
    self.log = log
    let frames = log.map { LogFrames($0) }
    pageSize = (frames?.pageSize ?? nil) ?? database.map(Self.pageSize(of:)) ?? 4096
    logged = frames?.committed ?? [:]
  }

  /// Returns the result of `WriteAheadLog.isDamaged`.
  static func isLogDamaged(_ path: String) -> Bool {
    RawFile(path + "-wal").map { LogFrames($0).unreadCommits > 1 } ?? false
  }

  /// Calls `body` with the rows of each page, in the order of the pages.
  public func rows<Failure>(_ body: (Row) throws(Failure) -> Void) throws(Failure) {
    for number in numbers.union(logged.keys).sorted() {
      for page in versions(number) { try rows(of: page, number, body) }
    }
  }

  /// The numbers of the pages of the file itself.
  private var numbers: Set<Int> { Set(1...max(1, ((database?.size ?? 0) + pageSize - 1) / pageSize)) }

  /// Returns the id of the database from the first page with head rows; `nil` without such a page.
  ///
  /// - Parameter inLog: whether to read only the pages of the log, otherwise only those of the file.
  func databaseID(inLog: Bool, _ tables: [CheckedTable]) -> Int64? {
    let names = Set(tables.map(\.name))
    for number in (inLog ? Set(logged.keys) : numbers).sorted() {
      let page = inLog ? logged[number]?.first.flatMap { log?.read(pageSize, at: $0) } : page(number)
      guard let page else { continue }
      var votes: [Int64: Int] = [:]
      rows(of: page, number) { row in
        guard row.id == nil, row.values.count == 4, case .text(let name) = row.values[0], names.contains(name),
          case .integer(let id) = row.values[1]
        else { return }
        votes[id, default: 0] += 1
      }
      if let best = votes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) { return best.key }
    }
    return nil
  }

  /// Returns all versions of a page, the newest first. If that is damaged, an earlier one has most of its rows.
  private func versions(_ number: Int) -> [[UInt8]] {
    (logged[number] ?? []).compactMap { log?.read(pageSize, at: $0) } + [page(number)].compactMap(\.self)
  }

  /// Returns a page of the file. Missing octets of a truncated last page are zero, as in SQLite.
  private func page(_ number: Int) -> [UInt8]? {
    let offset = (number - 1) * pageSize
    guard let database, offset >= 0, offset < database.size else { return nil }
    let count = min(pageSize, database.size - offset)
    return database.read(count, at: offset).map { $0 + [UInt8](repeating: 0, count: pageSize - count) }
  }

  /// Returns the page size, or the default of SQLite if the header is damaged.
  private static func pageSize(of file: RawFile) -> Int {
    guard let header = file.read(18, at: 0) else { return 4096 }
    let size = Int(header[16]) << 8 | Int(header[17])
    return size == 1 ? 65_536 : size >= 512 && size.nonzeroBitCount == 1 ? size : 4096
  }
}

// MARK: Pages and cells

extension PageScan {
  private enum Kind: UInt8 {
    case tableLeaf = 0x0D
    case indexLeaf = 0x0A
    case indexInterior = 0x02
  }

  private func rows<Failure>(of page: [UInt8], _ number: Int, _ body: (Row) throws(Failure) -> Void) throws(Failure) {
    let start = number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: page[start]) else { return }
    let first = start + (kind == .indexInterior ? 12 : 8)
    let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
    for cell in 0..<min(count, (pageSize - first) / 2) {
      let pointer = Int(page[first + 2 * cell]) << 8 | Int(page[first + 2 * cell + 1])
      guard pointer >= first, let row = row(in: page, at: pointer + (kind == .indexInterior ? 4 : 0), kind) else { continue }
      try body(row)
    }
  }

  /// Returns the row of a cell; `nil` if the cell is invalid.
  private func row(in page: [UInt8], at start: Int, _ kind: Kind) -> Row? {
    var place = start
    guard let size = page[...].variableInteger(&place), size > 0, size < 1 << 24 else { return nil }
    var id: Int64?
    if kind == .tableLeaf {
      guard let key = page[...].variableInteger(&place) else { return nil }
      id = key
    }
    let largest = kind == .tableLeaf ? pageSize - 35 : (pageSize - 12) * 64 / 255 - 23
    guard let payload = payload(in: page, at: place, size: Int(size), largest: largest), let values = Self.values(payload) else {
      return nil
    }
    return Row(id: id, values: values)
  }

  /// Returns the payload of a cell, with the chain of overflow pages if it is too long for its page.
  private func payload(in page: [UInt8], at start: Int, size: Int, largest: Int) -> [UInt8]? {
    let smallest = (pageSize - 12) * 32 / 255 - 23
    let fitting = smallest + (size - smallest) % (pageSize - 4)
    let local = size <= largest ? size : fitting <= largest ? fitting : smallest
    guard start + local + (local < size ? 4 : 0) <= page.count else { return nil }
    var payload = Array(page[start..<start + local])
    var next = local < size ? Int(page.bigEndian(at: start + local)) : 0
    while payload.count < size {
      guard next > 0, let more = versions(next).first else { return nil }
      payload += more[4..<min(pageSize, 4 + size - payload.count)]
      next = Int(more.bigEndian(at: 0))
    }
    return payload
  }

  private static func values(_ payload: [UInt8]) -> [DatabaseValue]? {
    var place = 0
    guard let length = payload[...].variableInteger(&place), length <= payload.count else { return nil }
    var data = Int(length)
    var values: [DatabaseValue] = []
    while place < Int(length) {
      guard values.count < mostColumns, let type = payload[...].variableInteger(&place), type >= 0,
        let value = value(of: type, in: payload, at: &data)
      else { return nil }
      values.append(value)
    }
    return place == Int(length) && data == payload.count ? values : nil
  }

  private static func value(of type: Int64, in payload: [UInt8], at place: inout Int) -> DatabaseValue? {
    let sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]
    if type < 10 {
      let start = place
      place += sizes[Int(type)]
      guard place <= payload.count else { return nil }
      switch type {
      case 0: return .null
      case 7: return .real(Double(bitPattern: payload[start..<place].reduce(0) { $0 << 8 | UInt64($1) }))
      case 8, 9: return .integer(type - 8)
      default:
        let sign: UInt64 = payload[start] >= 0x80 ? .max : 0
        return .integer(Int64(bitPattern: payload[start..<place].reduce(sign) { $0 << 8 | UInt64($1) }))
      }
    }
    let size = Int((type - 12) / 2)
    guard type >= 12, place + size <= payload.count else { return nil }
    let octets = payload[place..<place + size]
    place += size
    return type.isMultiple(of: 2) ? .blob(Array(octets)) : .text(String(decoding: octets, as: UTF8.self))
  }
}

// MARK: Octets

/// A file with random access.
final class RawFile {
  private let descriptor: Int32
  let size: Int

  init?(_ path: String) {
    // Opening a pipe would wait for a writer.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var found = stat()
    let isFile = descriptor >= 0 && fstat(descriptor, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(found.st_size) : 0
    guard isFile else {
      if descriptor >= 0 { errno = EINVAL }
      return nil
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns `nil` if the file has fewer octets.
  func read(_ count: Int, at offset: Int) -> [UInt8]? {
    guard offset >= 0, offset + count <= size else { return nil }
    var octets = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &octets, count, off_t(offset)) == count ? octets : nil
  }
}

extension ArraySlice<UInt8> {
  /// Reads an integer of one to nine octets; returns `nil` at the end of the octets.
  fileprivate func variableInteger(_ place: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < endIndex else { return nil }
      let octet = self[place]
      place += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(octet)) }
      value = value << 7 | UInt64(octet & 0x7F)
      if octet < 0x80 { break }
    }
    return Int64(bitPattern: value)
  }
}
