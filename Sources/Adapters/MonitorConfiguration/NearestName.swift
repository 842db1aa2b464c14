/// Finds what somebody probably meant.
enum NearestName {
  /// The one of `names` that takes the fewest changed, added or dropped characters to reach; nil when even that one is far off.
  static func of(_ name: String, in names: some Sequence<String>) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let ranked = names.map { (name: $0, distance: distance(name.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    let isNear = best.distance <= Swift.max(1, best.name.count / 3) && best.distance < Swift.min(name.count, best.name.count)
    return isNear ? best.name : nil
  }

  /// Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966; by rows.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
