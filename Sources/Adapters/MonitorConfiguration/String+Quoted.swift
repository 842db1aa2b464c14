extension String {
  /// The text in quotes, shortened for a message.
  var quoted: String { "\"\(shortened)\"" }

  /// The first 64 characters.
  var shortened: String {
    let start = prefix(65)
    return start.count > 64 ? "\(start.prefix(64))..." : self
  }
}
