import Seeds

/// Undamaged files in every form, made once and damaged many times: a few of each kind, of different sizes.
public final class Stock {
  /// A file in all its forms, with closures that judge it by the truth.
  public struct Item {
    public let file: any StoredFile
    let folder: String
    /// The judges by form.
    let judges: [Form: (_ folder: String, _ untouched: String, _ mayBeOlder: Bool) throws -> Verdict]

    public func folder(_ form: Form) -> String { "\(folder)/\(form.rawValue)" }

    public func judge(_ form: Form, _ folder: String, untouched: String, mayBeOlder: Bool = false) throws -> Verdict {
      guard let judge = judges[form] else { throw RawDatabase.Failure(description: "\(file.name) was never \(form.rawValue)") }
      return try judge(folder, untouched, mayBeOlder)
    }
  }

  public private(set) var items: [String: [Item]] = [:]

  /// - Parameters:
  ///   - folder: An existing, empty folder.
  ///   - copies: The number of files of each kind, at least 2: one is the stranger of the other.
  public init(in folder: String, of files: [any StoredFile], copies: Int, seed: UInt64) throws {
    for file in files {
      for copy in 0..<copies {
        var random = SeededGenerator(seed: seed ^ UInt64(copy) << 32)
        items[file.name, default: []].append(try Self.make(file, "\(folder)/\(file.name)-\(copy)", using: &random))
      }
    }
  }

  private static func make<File: StoredFile>(_ file: File, _ folder: String, using random: inout some RandomNumberGenerator) throws -> Item
  {
    try Files.makeFolder(folder)
    try Files.makeFolder("\(folder)/work")
    var judges: [Form: (String, String, Bool) throws -> Verdict] = [:]
    var older: [File.Truth] = []
    try file.write(in: "\(folder)/work", using: &random) { form, truth in
      try Files.copyFolder("\(folder)/work", to: "\(folder)/\(form.rawValue)")
      if form == .older { older = [truth] }
      judges[form] = { [older] in try file.judge($0, untouched: $1, truths: $2 ? [truth] + older : [truth]) }
    }
    return Item(file: file, folder: folder, judges: judges)
  }
}
