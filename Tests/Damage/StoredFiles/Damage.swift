import Glibc
import Seeds

/// One random way of damaging a stored file.
public struct Damage: Sendable {
  /// The changes made to the files, for the report.
  public private(set) var description: String
  /// The form whose truth applies now: another one if the whole file was replaced.
  public internal(set) var form: Form
  /// Whether part of an older state replaced the newer one, so that the older state is a correct result.
  public internal(set) var mayBeOlder = false

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
