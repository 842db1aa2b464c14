import Glibc

extension Damage {
  private static func tables(_ database: RawDatabase) throws -> [String] {
    try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name")
      .compactMap { $0[0].string }
  }

  /// Returns a random row of a random table with rows.
  private static func choose(_ database: RawDatabase, using random: inout some RandomNumberGenerator) throws
    -> (table: String, columns: [String], row: [RawDatabase.Value])?
  {
    let filled = try tables(database).filter { try database.rows("SELECT 1 FROM \($0) LIMIT 1").isEmpty == false }
    guard let table = filled.randomElement(using: &random) else { return nil }
    let columns = try database.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }
    guard let row = try database.rows("SELECT * FROM \(table)").randomElement(using: &random) else { return nil }
    return (table, columns, row)
  }

  private static func condition(_ columns: [String]) -> String { columns.map { "\"\($0)\" IS ?" }.joined(separator: " AND ") }

  /// Lets `body` write anything into any cell: without types, constraints and triggers, which are restored afterwards.
  private static func unbound(_ path: String, _ body: (RawDatabase) throws -> String) throws -> String {
    let schema = try RawDatabase(path).rows("SELECT name, sql, type FROM sqlite_schema WHERE sql IS NOT NULL")
    func write(_ sql: (String, String, String) -> String?) throws {
      let database = try RawDatabase(path)
      try database.execute("PRAGMA writable_schema = ON")
      for row in schema {
        guard let name = row[0].string, let text = row[1].string, let type = row[2].string, let other = sql(name, text, type) else {
          continue
        }
        try database.run(
          "UPDATE sqlite_schema SET sql = ? WHERE name = ? AND type = ?",
          [.text(Array(other.utf8)), .text(Array(name.utf8)), .text(Array(type.utf8))])
      }
    }
    try write { _, text, type in
      switch type {
      case "table":
        text.replacing(") STRICT, WITHOUT ROWID", with: ") WITHOUT ROWID").replacing(") STRICT", with: ")")
          .replacing(" INTEGER NOT NULL", with: " BLOB").replacing(" TEXT NOT NULL", with: " BLOB").replacing(" TEXT", with: " BLOB")
      // Dropping the trigger would move pages, so it is changed to never fire.
      case "trigger": text.replacing("WHEN NOT EXISTS", with: "WHEN 0 AND NOT EXISTS")
      default: nil
      }
    }
    let text = try body(try RawDatabase(path))
    try write { _, text, type in ["table", "trigger"].contains(type) ? text : nil }
    return text
  }

  static func cell(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    var generator = random
    defer { random = generator }
    return try unbound(path) { database in
      guard let (table, columns, row) = try choose(database, using: &generator) else { return "no rows" }
      let column = Int.random(in: 0..<columns.count, using: &generator)
      let others = try database.rows("SELECT \"\(columns[column])\" FROM \(table)").map { $0[0] }
      let value = other(than: row[column], among: others, using: &generator)
      try database.run("UPDATE OR IGNORE \(table) SET \"\(columns[column])\" = ? WHERE \(condition(columns))", [value] + row)
      return "\(table).\(columns[column]) of \(short(row)) set to \(short([value]))"
    }
  }

  static func other(
    than value: RawDatabase.Value, among others: [RawDatabase.Value], using random: inout some RandomNumberGenerator
  ) -> RawDatabase.Value {
    if Int.random(in: 0..<4, using: &random) == 0 { return others.randomElement(using: &random) ?? .null }
    if case .text(let text) = value, Bool.random(using: &random) {
      var text = text
      let place = text.isEmpty ? 0 : Int.random(in: 0..<text.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !text.isEmpty: text[place] ^= UInt8(1) << Int.random(in: 0..<7, using: &random)
      case 1: text = Array(text[..<place])
      case 2: text.insert(contentsOf: Array("\"sequence\":1,".utf8), at: min(1, text.count))
      default: text = Array(String(decoding: text, as: UTF8.self).replacing(/[0-9]+/) { _ in "1" }.utf8)
      }
      return .text(text)
    }
    if case .integer(let number) = value, Bool.random(using: &random) {
      return .integer(number &+ ([-1, 1, 1 << 40, -1 << 40, 86_400_000_000_000].randomElement(using: &random) ?? 1))
    }
    let extremes: [RawDatabase.Value] = [
      .null, .integer(.min), .integer(.max), .integer(.min + 1), .integer(-1), .integer(0), .integer(1), .integer(1 << 32),
      .real(.infinity),
      .real(-0.5), .real(1e300), .text([]), .text(Array("{".utf8)), .text(Array("[]".utf8)), .text(Array("{}".utf8)),
      .text([0xFF, 0, 0xC0]),
      .text(Array(repeating: UInt8(ascii: "["), count: 100_000)), .text(Array(repeating: UInt8(ascii: "a"), count: 300_000)), .blob([]),
      .blob((0..<16).map { _ in .random(in: 0...255, using: &random) }), .text(Array("always".utf8)),
    ]
    return extremes.randomElement(using: &random) ?? .null
  }

  static func row(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    var generator = random
    defer { random = generator }
    return try unbound(path) { database in
      guard let (table, columns, row) = try choose(database, using: &generator) else { return "no rows" }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        try database.run("DELETE FROM \(table) WHERE \(condition(columns))", row)
        return "\(table) \(short(row)) deleted"
      case 2:
        // The row gets another key, because the key is unique.
        let keys = try database.rows("PRAGMA table_info(\(table))").enumerated().filter { $0.element[5] != .integer(0) }.map(\.offset)
        var copy = row
        if let key = keys.randomElement(using: &generator) {
          switch copy[key] {
          case .integer(let number): copy[key] = .integer(number &+ .random(in: 1...300, using: &generator))
          case .text(let text): copy[key] = .text(text + [UInt8(ascii: "2")])
          case let value: copy[key] = value
          }
        }
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try database.run("INSERT OR IGNORE INTO \(table) VALUES (\(places))", copy)
        return "\(table) \(short(row)) copied as \(short(copy))"
      default:
        let second = try database.rows("SELECT * FROM \(table)").randomElement(using: &generator) ?? row
        let column = Int.random(in: 0..<columns.count, using: &generator)
        try database.run("UPDATE OR IGNORE \(table) SET \"\(columns[column])\" = ? WHERE \(condition(columns))", [second[column]] + row)
        if second != row {
          try database.run("UPDATE OR IGNORE \(table) SET \"\(columns[column])\" = ? WHERE \(condition(columns))", [row[column]] + second)
        }
        return "\(table).\(columns[column]) of \(short(row)) and \(short(second)) swapped"
      }
    }
  }

  private static func short(_ row: [RawDatabase.Value]) -> String {
    row.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let number): String(number)
      case .real(let number): String(number)
      case .text(let octets): "'\(String(decoding: octets.prefix(24), as: UTF8.self))'"
      case .blob(let octets): "\(octets.count) octets"
      }
    }.joined(separator: "|")
  }

  static func schema(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    let database = try RawDatabase(path)
    guard let table = try tables(database).randomElement(using: &random) else { return "no tables" }
    let statement =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: "DROP TABLE \(table)"
      case 1: "ALTER TABLE \(table) RENAME TO lost_\(Int.random(in: 0..<1000, using: &random))"
      case 2: "ALTER TABLE \(table) ADD COLUMN surplus_\(Int.random(in: 0..<1000, using: &random)) INTEGER"
      case 3: "PRAGMA user_version = \(Int32.random(in: .min ... .max, using: &random))"
      case 4: "PRAGMA user_version = 1"
      case 5: "PRAGMA application_id = 7"
      case 6:
        "CREATE TRIGGER stray_\(Int.random(in: 0..<1000, using: &random)) BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'stray'); END"
      default: "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = substr(sql, 1, 30) WHERE name = '\(table)'"
      }
    try database.execute(statement)
    return statement
  }
}
