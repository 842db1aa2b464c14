/// A small file that only its owner may read, and that is replaced as a whole.
public enum PrivateTextFile {
  /// Replaces the file: a reader, or a start after a crash, finds the old text or the new one.
  ///
  /// - Parameter isDurable: waits until the text is on the disk; otherwise a power cut can leave an empty file.
  public static func replace(_ path: String, with text: String, isDurable: Bool) throws(SystemCallError) {
    try NewFile(of: path, text, mode: 0o600, isDurable: isDurable).install()
  }
}
