/// The frames of a write-ahead log: https://sqlite.org/fileformat2.html#walformat
struct LogFrames {
  private static let header = 32
  private static let frameHeader = 24

  /// The size of a page; `nil` without any frame.
  let pageSize: Int?
  /// The offsets of the versions of each page up to the last commit, the last one first.
  private(set) var committed: [Int: [Int]] = [:]
  /// The number of commits from the first frame with a wrong checksum on.
  private(set) var unreadCommits = 0

  init(_ log: RawFile) {
    guard let header = log.read(Self.header, at: 0), let size = Self.pageSize(header), let salts = log.read(8, at: Self.header + 8) else {
      pageSize = nil
      return
    }
    pageSize = size
    var checksum = LogChecksum(isBigEndian: header[3] & 1 == 1)
    checksum.add(header[..<24])
    let hasIntactHeader = checksum.isAt(24, of: header)
    if hasIntactHeader, Self.hasRestarted(header, salts) { return }
    var isRead = hasIntactHeader && Array(header[16..<24]) == salts
    var pending: [(page: Int, place: Int)] = []
    var offset = Self.header
    // Compares with the salts of the first frame, which are those of the header unless that is damaged.
    while let head = log.read(Self.frameHeader, at: offset), let page = log.read(size, at: offset + Self.frameHeader),
      Array(head[8..<16]) == salts
    {
      checksum.add(head[..<8])
      checksum.add(page[...])
      isRead = isRead && checksum.isAt(16, of: head)
      pending.append((Int(head.bigEndian(at: 0)), offset + Self.frameHeader))
      if head.bigEndian(at: 4) != 0 {
        for (page, place) in pending { committed[page, default: []].append(place) }
        pending = []
        if !isRead { unreadCommits += 1 }
      }
      offset += Self.frameHeader + size
    }
    committed = committed.mapValues { $0.reversed() }
  }

  /// Returns whether SQLite has applied all frames to the database and restarted the log, but has not written a frame since.
  ///
  /// The frames that follow the new header are then left over from before. SQLite increments the first salt whenever it restarts a log, and
  /// flushes the header before the first frame, so a process can be killed between them.
  private static func hasRestarted(_ header: [UInt8], _ salts: [UInt8]) -> Bool {
    Array(header[16..<24]) != salts && header.bigEndian(at: 16) == salts.bigEndian(at: 0) &+ 1
  }

  private static func pageSize(_ header: [UInt8]) -> Int? {
    let size = Int(header.bigEndian(at: 8))
    return size >= 512 && size <= 65_536 && size.nonzeroBitCount == 1 ? size : nil
  }
}

/// The checksum of frames, section 4.2 of the format.
private struct LogChecksum {
  let isBigEndian: Bool
  private var (first, second): (UInt32, UInt32) = (0, 0)

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// - Parameter octets: octets whose count is a multiple of eight.
  mutating func add(_ octets: ArraySlice<UInt8>) {
    octets.withUnsafeBytes { octets in
      for offset in stride(from: 0, to: octets.count - 7, by: 8) {
        first &+= word(octets.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &+ second
        second &+= word(octets.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)) &+ first
      }
    }
  }

  func isAt(_ place: Int, of octets: [UInt8]) -> Bool {
    octets.bigEndian(at: place) == first && octets.bigEndian(at: place + 4) == second
  }

  private func word(_ raw: UInt32) -> UInt32 { isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw) }
}

extension [UInt8] {
  func bigEndian(at place: Int) -> UInt32 { self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}
