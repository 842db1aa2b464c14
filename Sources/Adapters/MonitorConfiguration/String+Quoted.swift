extension String {
  /// For a message: in quotes, and not longer than a line can bear.
  var quoted: String { "\"\(shortened)\"" }

  /// At most 64 characters.
  var shortened: String { count > 64 ? "\(prefix(64))..." : self }
}
