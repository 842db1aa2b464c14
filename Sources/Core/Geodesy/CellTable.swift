/// The entries in each cell: two flat arrays that are built at once, and a dictionary for later changes.
///
/// Cells share buckets by a hash, so a bucket may hold entries of other cells; the caller checks each entry.
struct CellTable: Sendable {
  private var starts: ContiguousArray<UInt32> = [0, 0, 0]
  private var entries: ContiguousArray<UInt32> = []
  private var shift: UInt64 = 63
  private var added: [UInt64: ContiguousArray<UInt32>] = [:]

  init() {}

  /// Builds the table.
  ///
  /// - Parameters:
  ///   - entries: the entries in ascending order, `count` of them.
  ///   - forEachCell: calls its argument with the cells of an entry; the cells are the same each time.
  init(_ entries: some Sequence<UInt32>, expecting count: Int, _ forEachCell: (UInt32, (UInt64) -> Void) -> Void) {
    var bits: UInt64 = 1
    while 1 << bits < 2 * count { bits += 1 }
    shift = 64 - bits
    // `starts` first counts the entries of each bucket. It then holds the beginning of each bucket, and while buckets are filled the next
    // free place, which at the end is the beginning of the following bucket.
    var starts = ContiguousArray<UInt32>(repeating: 0, count: 1 << Int(bits) + 1)
    Self.forEachPile(of: entries, forEachCell, shift) { pile in
      var starts = starts.mutableSpan
      for place in pile { starts[place.bucket] += 1 }
    }
    var total: UInt32 = 0
    for bucket in starts.indices {
      let size = starts[bucket]
      starts[bucket] = total
      total += size
    }
    var places = ContiguousArray<UInt32>(repeating: 0, count: Int(total))
    Self.forEachPile(of: entries, forEachCell, shift) { pile in
      var starts = starts.mutableSpan
      var places = places.mutableSpan
      for place in pile {
        places[Int(starts[place.bucket])] = place.entry
        starts[place.bucket] += 1
      }
    }
    for bucket in starts.indices.dropFirst().reversed() { starts[bucket] = starts[bucket - 1] }
    starts[0] = 0
    (self.starts, self.entries) = (starts, places)
  }

  /// Calls `body` with piles of buckets and their entries.
  /// Buckets are scattered in memory. A processor can wait for many of them at once only if no other work is in between.
  @inline(__always)
  private static func forEachPile(
    of entries: some Sequence<UInt32>, _ forEachCell: (UInt32, (UInt64) -> Void) -> Void, _ shift: UInt64,
    _ body: (ContiguousArray<(bucket: Int, entry: UInt32)>) -> Void
  ) {
    var pile: ContiguousArray<(bucket: Int, entry: UInt32)> = []
    let height = 512
    pile.reserveCapacity(2 * height)
    for entry in entries {
      forEachCell(entry) { pile.append((bucket($0, shift), entry)) }
      if pile.count < height { continue }
      body(pile)
      pile.removeAll(keepingCapacity: true)
    }
    body(pile)
  }

  mutating func add(_ entry: UInt32, to cell: UInt64) {
    added[cell, default: []].append(entry)
  }

  /// Removes an entry that was added after the build; the owner of the table skips removed entries of the build.
  mutating func remove(_ entry: UInt32, from cell: UInt64) {
    added[cell]?.removeAll { $0 == entry }
    if added[cell]?.isEmpty == true { added[cell] = nil }
  }

  /// Calls `body` with the entries of the cell, and some of other cells.
  /// The entries of the build come first, each once and in ascending order.
  @inline(__always)
  func forEach(in cell: UInt64, _ body: (UInt32) -> Void) {
    let bucket = Self.bucket(cell, shift)
    let (starts, entries) = (starts.span, entries.span)
    let range = Range(uncheckedBounds: (Int(starts[bucket]), Int(starts[bucket + 1])))
    let found = entries.extracting(range)
    var last = UInt32.max
    for index in found.indices {
      let entry = found[unchecked: index]
      // Two cells of one circle may share a bucket, where its entries are adjacent.
      if entry != last { body(entry) }
      last = entry
    }
    guard !added.isEmpty, let more = added[cell] else { return }
    for entry in more { body(entry) }
  }

  @inline(__always)
  private static func bucket(_ cell: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (cell &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
