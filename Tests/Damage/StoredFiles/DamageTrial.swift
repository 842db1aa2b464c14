import Seeds

/// One damaged file. Its number and the seed determine everything about it.
public struct DamageTrial {
  public let stock: Stock
  public let files: [any StoredFile]
  public let seed: UInt64

  public init(stock: Stock, files: [any StoredFile], seed: UInt64) {
    (self.stock, self.files, self.seed) = (stock, files, seed)
  }

  /// Damages a file and lets the product use it.
  ///
  /// - Parameters:
  ///   - number: The number of the case.
  ///   - folder: An existing, empty folder.
  ///   - report: Receives a description of the damage before the product reads it, so that a trap is explained too.
  public func run(_ number: Int, in folder: String, report: (String) -> Void) throws -> Verdict {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    let file = files[number % files.count]
    guard let items = stock.items[file.name], let item = items.randomElement(using: &random),
      let stranger = items.first(where: { $0.folder != item.folder })
    else { throw RawDatabase.Failure(description: "nothing of \(file.name) in stock") }
    // A crash leaves the most files behind, and most faults occur there.
    let form: Form = Bool.random(using: &random) ? .crashed : .closed
    let damaged = "\(folder)/damaged"
    try Files.copyFolder(item.folder(form), to: damaged)
    let damage = try Damage.inflict(
      on: file, in: damaged, form, forms: item.folder, stranger: stranger.folder(.crashed), using: &random)
    report("\(file.name), \(damage.description)")
    try Files.copyFolder(damaged, to: "\(folder)/untouched")
    return try item.judge(damage.form, damaged, untouched: "\(folder)/untouched", mayBeOlder: damage.mayBeOlder)
  }

  /// Runs a trial without damage: every promise has to hold, and its time is the yardstick for hangs.
  public func runUndamaged(_ file: any StoredFile, _ form: Form, in folder: String) throws -> Verdict {
    guard let item = stock.items[file.name]?.first else { throw RawDatabase.Failure(description: "nothing of \(file.name) in stock") }
    for name in ["damaged", "untouched"] { try Files.copyFolder(item.folder(form), to: "\(folder)/\(name)") }
    return try item.judge(form, "\(folder)/damaged", untouched: "\(folder)/untouched")
  }
}
