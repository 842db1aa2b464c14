public import Beacons

/// Lines of comma-separated numbers below a line of column names, as in surveys and files of true positions.
///
/// Columns are found by name, in any order; further columns are ignored. Lines may end in CR LF, and empty lines are skipped.
public struct PositionTable {
  public struct Row {
    /// The line in the file, from 1.
    public let line: Int
    fileprivate let fields: [String: Substring]
  }

  public let rows: [Row]

  /// - Parameters:
  ///   - required: the columns that must exist.
  ///   - most: the maximum number of rows; more of them are an error.
  public init(_ text: String, required: [String], most: Int? = nil) throws(PositionTableError) {
    var names: [String] = []
    var rows: [Row] = []
    for (index, content) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let fields = content.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
      if fields.allSatisfy(\.isEmpty) { continue }
      let line = index + 1
      guard !names.isEmpty else {
        names = fields.map(String.init)
        if names.first?.hasPrefix("\u{FEFF}") == true { names[0].removeFirst() }
        let missing = required.filter { !names.contains($0) }
        guard missing.isEmpty else {
          let first = "the first line must be \(required.joined(separator: ","))"
          if names.count == 1, names[0].contains(";") {
            throw PositionTableError(line: line, "the columns are separated by semicolons; separate them by commas: \(first)")
          }
          let subject = missing.count > 1 ? "the columns \(missing.joined(separator: ", ")) are" : "the column \(missing[0]) is"
          throw PositionTableError(line: line, "\(subject) missing; \(first)")
        }
        continue
      }
      guard fields.count == names.count else {
        throw PositionTableError(line: line, "there are \(fields.count) fields, but the first line names \(names.count) columns")
      }
      if let most, rows.count >= most {
        throw PositionTableError(line: line, "there are more than \(most) lines; remove some")
      }
      rows.append(Row(line: line, fields: Dictionary(zip(names, fields)) { first, _ in first }))
    }
    guard !names.isEmpty else {
      throw PositionTableError(line: nil, "the file is empty; its first line must be \(required.joined(separator: ","))")
    }
    self.rows = rows
  }
}

extension PositionTable.Row {
  /// Returns the position in the columns `x_m`, `y_m` and `z_m`.
  public func position() throws(PositionTableError) -> SIMD3<Double> {
    SIMD3(try number("x_m", within: 100_000), try number("y_m", within: 100_000), try number("z_m", within: 100_000))
  }

  /// Returns a finite number of at most this magnitude.
  public func number(_ column: String, within limit: Double) throws(PositionTableError) -> Double {
    guard let value = Double(fields[column] ?? "") else {
      throw PositionTableError(line: line, "\(column): \"\((fields[column] ?? "").printable)\" is not a number")
    }
    guard abs(value) <= limit else {
      throw PositionTableError(line: line, "\(column): \((fields[column] ?? "").printable) is not between -\(Int(limit)) and \(Int(limit))")
    }
    return value
  }

  /// Returns a number from 0 to 65535; `nil` if there is no such column or the field is empty.
  public func short(_ column: String) throws(PositionTableError) -> UInt16? {
    guard let text = fields[column], !text.isEmpty else { return nil }
    guard let value = UInt16(text) else {
      throw PositionTableError(line: line, "\(column): \"\(text.printable)\" is not a whole number from 0 to 65535")
    }
    return value
  }

  /// Returns a number of at most this magnitude; `nil` if there is no such column or the field is empty.
  public func optionalNumber(_ column: String, within limit: Double) throws(PositionTableError) -> Double? {
    text(column) == nil ? nil : try number(column, within: limit)
  }

  /// Returns a UUID; `nil` if there is no such column or the field is empty.
  public func uuid(_ column: String) throws(PositionTableError) -> BeaconUUID? {
    guard let text = text(column) else { return nil }
    do {
      return try BeaconUUID(text)
    } catch {
      throw PositionTableError(line: line, "\(column): \(error)")
    }
  }

  /// Returns the text of a column; `nil` if there is no such column or the field is empty.
  public func text(_ column: String) -> String? { fields[column].flatMap { $0.isEmpty ? nil : String($0) } }
}

/// An error in a file of positions.
public struct PositionTableError: Error, Hashable, Sendable {
  /// The line, from 1; `nil` for the whole file.
  public let line: Int?
  /// The fault and its remedy.
  public let message: String

  public init(line: Int?, _ message: String) {
    (self.line, self.message) = (line, message)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }

  /// The text for a message: at most 40 characters, without control characters.
  fileprivate var printable: String {
    String(prefix(40).map { $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? "?" : $0 })
  }
}
