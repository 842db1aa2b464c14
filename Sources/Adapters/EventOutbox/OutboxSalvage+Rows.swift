import Events
import Records
import SQLite

extension OutboxSalvage {
  struct CheckedRow {
    /// The values in the order of the columns of the table.
    let values: [DatabaseValue]
    /// The checksum; `nil` if it is damaged, or the table has none.
    let checksum: Int64?
  }

  func isIntact(_ row: CheckedRow, _ table: CheckedTable) -> Bool {
    !hasChecksums || row.checksum == table.checksum(of: row.values, id: id)
  }

  private func selection(_ table: CheckedTable) -> String {
    "SELECT \(table.columns.joined(separator: ", "))\(hasChecksums ? ", checksum" : "") FROM \(table.name)"
  }

  private func checkedRow(_ row: borrowing Row, _ table: CheckedTable) -> CheckedRow {
    var values: [DatabaseValue] = []
    for column in table.columns.indices { values.append(row.value(column)) }
    return CheckedRow(values: values, checksum: hasChecksums ? row.integer(table.columns.count) : nil)
  }

  mutating func checkedRows(_ database: Database, _ table: CheckedTable) -> [CheckedRow] {
    let salvage = self
    return rows(database, selection(table), table == .delivery ? ["target", "event"] : [table.columns[0]]) { row in
      let found = salvage.checkedRow(row, table)
      return (key: "\(found.values) \(found.checksum ?? 0)", value: found)
    }
  }

  /// Returns a row; `nil` if it cannot be read.
  func row(_ database: Database, _ table: CheckedTable, _ condition: String) -> CheckedRow? {
    do throws(DatabaseError) {
      return try database.prepare("\(selection(table)) WHERE \(condition)").first { checkedRow($0, table) }
    } catch {
      return nil
    }
  }

  mutating func rows<Value>(
    _ database: Database, _ selection: String, _ key: String..., read: (borrowing Row) -> (key: String, value: Value)?
  ) -> [Value] {
    rows(database, selection, key, read: read)
  }

  /// Reads the rows forward from the first and backward from the last until reading fails, and returns each once in order.
  private mutating func rows<Value>(
    _ database: Database, _ selection: String, _ key: [String], read: (borrowing Row) -> (key: String, value: Value)?
  ) -> [Value] {
    var seen: Set<String> = []
    var halves: [[Value]] = []
    for direction in ["ASC", "DESC"] {
      var half: [Value] = []
      do throws(DatabaseError) {
        try database.prepare("\(selection) ORDER BY \(key.map { "\($0) \(direction)" }.joined(separator: ", "))").each([]) { row in
          if let (key, value) = read(row), seen.insert(key).inserted { half.append(value) }
          return true
        }
        return direction == "ASC" ? half : (halves.first ?? []) + half.reversed()
      } catch {
        hasGaps = true
      }
      halves.append(half)
    }
    return halves[0] + halves[1].reversed()
  }

  static func event(_ json: String?) -> Event? {
    do throws(JSONError) { return try json.map { (json) throws(JSONError) in try Event(json: json) } } catch { return nil }
  }
}

extension DatabaseValue {
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}
