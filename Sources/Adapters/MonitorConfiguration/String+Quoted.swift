extension String {
  /// For a message: in quotes, and not longer than a line can bear.
  var quoted: String { "\"\(shortened)\"" }

  /// At most 64 characters.
  var shortened: String {
    let start = prefix(65)
    return start.count > 64 ? "\(start.prefix(64))..." : self
  }
}
