/// Finds the existing name that is nearest to a mistyped one.
public struct NearestName {
  /// The maximum number of compared names: a file with thousands of regions and of mistakes must not take minutes.
  private static let most = 500
  private let names: [(name: String, letters: Letters)]

  public init(in names: some Sequence<String>) {
    self.names = names.prefix(Self.most).map { ($0, Letters($0)) }
  }

  /// Returns the one of `names` that needs the fewest changed, added or dropped characters; nil if none is near.
  public static func of(_ name: String, in names: some Sequence<String>) -> String? { NearestName(in: names).of(name) }

  public func of(_ name: String) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let letters = Letters(name)
    var best: (distance: Int, name: String)?
    for (candidate, others) in names {
      let most = min(max(1, others.count / 3), min(letters.count, others.count) - 1)
      // Each additional character of one name is a change, and so is each kind of character that only one of them has.
      guard abs(letters.count - others.count) <= most, letters.leastDistance(to: others) <= most,
        case let distance = letters.distance(to: others), distance <= most
      else { continue }
      if best.map({ (distance, candidate) < $0 }) ?? true { best = (distance, candidate) }
    }
    return best?.name
  }
}

/// The characters of a name in lower case. ASCII is stored as octets, which compare in a fraction of the time.
private enum Letters {
  /// The octets, and a bit for each kind of octet; four kinds share one bit.
  case ascii([UInt8], kinds: UInt64)
  case any([Character])

  init(_ name: String) {
    let name = name.lowercased()
    if name.utf8.allSatisfy({ $0 < 0x80 }) {
      self = .ascii(Array(name.utf8), kinds: name.utf8.reduce(0) { $0 | 1 << UInt64($1 & 63) })
    } else {
      self = .any(Array(name))
    }
  }

  var count: Int {
    switch self {
    case .ascii(let letters, _): letters.count
    case .any(let letters): letters.count
    }
  }

  private var characters: [Character] {
    switch self {
    case .ascii(let letters, _): letters.map { Character(Unicode.Scalar($0)) }
    case .any(let letters): letters
    }
  }

  /// Returns a lower bound of `distance(to:)`, in a fraction of its time.
  func leastDistance(to other: Letters) -> Int {
    guard case .ascii(_, let a) = self, case .ascii(_, let b) = other else { return 0 }
    return max((a & ~b).nonzeroBitCount, (b & ~a).nonzeroBitCount)
  }

  func distance(to other: Letters) -> Int {
    if case .ascii(let a, _) = self, case .ascii(let b, _) = other { return Self.distance(a, b) }
    return Self.distance(characters, other.characters)
  }

  /// Returns the edit distance, computed by rows.
  ///
  /// Source: Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966.
  private static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: b.count + 1) { row in
      for j in 0...b.count { row[j] = j }
      for i in a.indices {
        var diagonal = row[0]
        row[0] = i + 1
        for j in b.indices {
          let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
          diagonal = row[j + 1]
          row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
        }
      }
      return row[b.count]
    }
  }
}
