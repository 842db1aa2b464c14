import Glibc
import Seeds

/// One random way of damaging a stored file.
public struct Damage: Sendable {
  /// The changes made to the files, for the report.
  public private(set) var description: String
  /// The form whose truth applies now: another one if the whole file was replaced.
  public private(set) var form: Form
  /// Whether part of an older state replaced the newer one, so that the older state is a correct result.
  public private(set) var mayBeOlder = false

  private static let levels: [(name: String, weight: Int)] = [
    ("byte", 5), ("page", 4), ("cell", 6), ("row", 4), ("schema", 1), ("log", 3), ("commits", 1), ("file", 2),
  ]

  /// Damages the file in `folder`, which is in the form `form`.
  ///
  /// - Parameters:
  ///   - forms: A folder for each form of the same file.
  ///   - stranger: A folder with a file of the same name from another machine.
  public static func inflict(
    on file: any StoredFile, in folder: String, _ form: Form, forms: (Form) -> String, stranger: String,
    using random: inout some RandomNumberGenerator
  ) throws -> Damage {
    var damage = Damage(description: "", form: form)
    let path = "\(folder)/\(file.fileName)"
    let names = levels.filter { file.isDatabase || ["byte", "file"].contains($0.name) }.flatMap {
      Array(repeating: $0.name, count: $0.weight)
    }
    let level = names.randomElement(using: &random) ?? "byte"
    // One damage in four consists of two or three.
    let count =
      Int.random(in: 0..<4, using: &random) == 0 && !["file", "commits"].contains(level) ? Int.random(in: 2...3, using: &random) : 1
    var steps: [String] = []
    var generator = random
    /// SQLite refuses to change a part that an earlier damage made unreadable, or an integer primary key to another type.
    func attempt(_ body: (inout SeededGenerator) throws -> String) -> String {
      var own = SeededGenerator(seed: generator.next())
      do { return try body(&own) } catch { return "refused: \(error)" }
    }
    for _ in 0..<count {
      switch level {
      case "byte": steps.append(try octets(of: path, using: &generator))
      case "page": steps.append(try page(of: path, older: "\(forms(.older))/\(file.fileName)", using: &generator))
      case "cell": steps.append(attempt { try cell(of: path, using: &$0) })
      case "row": steps.append(attempt { try row(of: path, using: &$0) })
      case "schema": steps.append(attempt { try schema(of: path, using: &$0) })
      case "log": steps.append(try damage.log(of: path, file.fileName, forms: forms, stranger: stranger, using: &generator))
      case "commits": steps.append(try commits(of: path, using: &generator))
      default: steps.append(try damage.wholeFile(path, file.fileName, forms: forms, stranger: stranger, using: &generator))
      }
    }
    random = generator
    damage.description = "\(form.rawValue), \(level): \(steps.joined(separator: "; "))"
    return damage
  }
}

// MARK: Octets and pages

extension Damage {
  private static func octets(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    var octets = try Files.read(path)
    let name = path.split(separator: "/").last ?? ""
    guard !octets.isEmpty else { return "\(name) is empty already" }
    // Half of the positions are in the header and the schema, or in the frame headers of a log.
    let place = Int.random(in: 0..<(Bool.random(using: &random) ? octets.count : min(octets.count, 600)), using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let bit = UInt8(1) << Int.random(in: 0..<8, using: &random)
      octets[place] ^= bit
      try Files.write(octets, to: path)
      return "\(name): bit \(bit) of octet \(place) flipped"
    case 1:
      let length = min(octets.count - place, .random(in: 1...64, using: &random))
      for index in place..<place + length { octets[index] = 0 }
      try Files.write(octets, to: path)
      return "\(name): \(length) octets from \(place) are zero"
    case 2:
      let length = min(octets.count - place, .random(in: 1...32, using: &random))
      for index in place..<place + length { octets[index] = .random(in: 0...255, using: &random) }
      try Files.write(octets, to: path)
      return "\(name): \(length) octets from \(place) are random"
    case 3:
      let length = Int.random(in: 0..<octets.count, using: &random)
      try Files.write(octets[..<length], to: path)
      return "\(name): cut to \(length) of \(octets.count) octets"
    default:
      let length = Int.random(in: 1...5000, using: &random)
      octets.insert(
        contentsOf: (0..<length).map { _ in .random(in: 0...255, using: &random) }, at: Bool.random(using: &random) ? octets.count : place)
      try Files.write(octets, to: path)
      return "\(name): \(length) octets inserted"
    }
  }

  private static func page(of path: String, older: String, using random: inout some RandomNumberGenerator) throws -> String {
    var octets = try Files.read(path)
    let size = octets.count > 17 ? max(512, Int(octets[16]) << 8 | Int(octets[17])) : 4096
    let count = octets.count / size
    guard count > 1 else { return "no pages" }
    func range(_ page: Int) -> Range<Int> { page * size..<(page + 1) * size }
    let (one, other) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    let text: String
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      octets.replaceSubrange(range(one), with: repeatElement(0, count: size))
      text = "page \(one) of \(count) is zero"
    case 1:
      let copy = Array(octets[range(one)])
      octets.replaceSubrange(range(one), with: Array(octets[range(other)]))
      octets.replaceSubrange(range(other), with: copy)
      text = "pages \(one) and \(other) of \(count) swapped"
    case 2:
      octets.replaceSubrange(range(one), with: Array(octets[range(other)]))
      text = "page \(other) of \(count) stands in place of \(one) too"
    case 3:
      octets.replaceSubrange(range(one), with: (0..<size).map { _ in .random(in: 0...255, using: &random) })
      text = "page \(one) of \(count) is random"
    default:
      let stale = Files.exists(older) ? try Files.read(older) : []
      guard stale.count >= (one + 1) * size else { return "the older copy has no page \(one)" }
      octets.replaceSubrange(range(one), with: stale[range(one)])
      text = "page \(one) of \(count) is that of the older copy"
    }
    try Files.write(octets, to: path)
    return text
  }
}

// MARK: Rows and cells

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

  private static func cell(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
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

  private static func other(
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

  private static func row(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
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

  private static func schema(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
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

// MARK: The log, and the file as a whole

extension Damage {
  private mutating func log(
    of path: String, _ name: String, forms: (Form) -> String, stranger: String, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1, 2: return try Self.octets(of: Files.exists(path + "-wal") ? path + "-wal" : path, using: &random)
    case 3:
      Files.remove(path + "-wal")
      return "the log is missing"
    case 4:
      let source = "\(stranger)/\(name)-wal"
      if Files.exists(source) { try Files.write(try Files.read(source), to: path + "-wal") }
      return "the log is that of another file"
    case 5:
      let source = "\(forms(.older))/\(name)-wal"
      if Files.exists(source) { try Files.write(try Files.read(source), to: path + "-wal") }
      mayBeOlder = true
      return "the log is an older one"
    default:
      try Files.write((0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }, to: path + "-shm")
      return "the shared memory of the log is random"
    }
  }

  /// Damages the count of commits, which must be ignored if it is damaged.
  private static func commits(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    let count = path + "-commits"
    guard Files.exists(count) else { return "commits are not counted" }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      Files.remove(count)
      return "the count of commits is missing"
    case 1:
      Files.remove(count)
      try Files.makeFolder(count)
      return "a folder is in the place of the count of commits"
    default: return try octets(of: count, using: &random)
    }
  }

  private mutating func wholeFile(
    _ path: String, _ name: String, forms: (Form) -> String, stranger: String, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      try Files.write([], to: path)
      return "empty"
    case 1:
      // Without a file and without a log, the state is that of a new device.
      guard Files.exists(path + "-wal") else {
        try Files.write([], to: path)
        return "empty"
      }
      Files.remove(path)
      return "missing, its log is there"
    case 2:
      Files.remove(path)
      try Files.makeFolder(path)
      return "a folder"
    case 3:
      Files.remove(path)
      symlink(path, path)
      return "a link to itself"
    case 4:
      rename(path, path + ".elsewhere")
      symlink(path + ".elsewhere", path)
      return "a link to itself under another name"
    case 5:
      try Files.write(try Files.read("\(forms(.older))/\(name)"), to: path)
      mayBeOlder = true
      return "an older copy, with the newer log"
    case 6, 7:
      for suffix in ["", "-wal", "-shm"] {
        Files.remove(path + suffix)
        let source = "\(forms(.older))/\(name)\(suffix)"
        if Files.exists(source) { try Files.write(try Files.read(source), to: path + suffix) }
      }
      form = .older
      return "an older copy"
    case 8:
      try Files.write((0..<Int.random(in: 1...20_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }, to: path)
      return "noise"
    default:
      Files.remove(path)
      // Reading a FIFO waits for a writer, which is correct for a config on standard input or from a shell's `<()`.
      guard name.hasSuffix(".db") else { return "missing" }
      mkfifo(path, 0o600)
      return "a pipe"
    }
  }
}
