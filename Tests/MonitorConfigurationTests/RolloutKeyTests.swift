@testable import MonitorConfiguration
import Testing

/// The keys that a rollout may set, which their readers allow. The list here is independent of the readers.
@Suite struct RolloutKeyTests {
  /// The keys that a rollout may set, by their tables: no commands, secrets, targets, paths or consent.
  private static let allowed: [(table: String, keys: Set<String>)] = [
    ("ranging", ["path-loss-exponent", "rssi-offset", "time-constant", "method"]),
    ("beacon", ["uuid", "major", "minor", "rssi-offset"]),
    (
      "region",
      [
        "identifier", "uuid", "major", "minor", "exit-delay", "learn-exit-delay", "within", "leave-beyond", "hold", "nearest-only",
        "minimum-rssi", "enter-sightings", "enter-time", "dwell", "assume", "notify-on-entry", "notify-on-exit", "place", "level", "venue",
        "latitude", "longitude", "radius", "scan-only-near", "scan-only-below",
      ]
    ),
    ("place", ["name", "latitude", "longitude", "radius"]),
  ]
  /// The keys of these tables that a rollout must not set.
  private static let refused: Set<String> = []

  @Test func `a rollout may set the keys of this list and no others`() {
    let known = KeyRecorder.ofConfiguration()
    let allowed = known.keysInRollouts
    #expect(allowed.map(\.table) == Self.allowed.map(\.table))
    for (read, listed) in zip(allowed, Self.allowed) { #expect(read.keys == listed.keys, "[\(read.table)]") }
    for (table, keys) in Self.allowed {
      let recorders: [KeyRecorder] =
        switch known.entries[table] {
        case .table(let keys, _)?: [keys]
        case .tables(let kinds, _)?: kinds
        default: []
        }
      let others = Set(recorders.flatMap(\.keys)).subtracting(keys).subtracting(Self.refused)
      #expect(others.isEmpty, "decide whether a rollout may set a new key of [\(table)], and add it to one of these lists")
    }
  }

  @Test func `a rollout sets no key that a reader does not allow each time it reads it, and none outside of a table`() {
    let known = KeyRecorder()
    func add(_ key: String, _ allows: Bool..., to table: KeyRecorder) {
      for allows in allows { table.add(key, .flag, standard: nil, allowsRollouts: allows) }
    }
    add("source", true, to: known)
    let table = known.table("ranging", hasDefaults: true)
    add("allowed", true, true, to: table)
    add("refused", false, true, to: table)
    add("refused-later", true, false, true, to: table)
    add("command", true, to: table.table("inner", hasDefaults: true))
    let kinds = known.tables("region", TableSeries(kinds: [["uuid"], ["place"]]))
    add("uuid", true, to: kinds[0])
    for (kind, allows) in zip(kinds, [true, false]) { add("dwell", allows, to: kind) }
    add("path", false, to: known.table("journal", hasDefaults: true))
    #expect(known.keysInRollouts.map(\.table) == ["ranging", "region"])
    #expect(known.keysInRollouts.map(\.keys) == [["allowed"], ["uuid"]])

    let recorder = KeyRecorder()
    var top = TableReader([:], line: nil, place: [], problems: ProblemList(file: ""), recorder: recorder)
    var reader = top.table("ranging")
    _ = reader?.read("forgotten", as: .flag)
    _ = reader?.require("required", as: .flag)
    #expect(recorder.keysInRollouts.isEmpty)
  }
}
