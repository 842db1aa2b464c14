import CLinux

/// The pages of the files of the program and its libraries in memory.
public enum PageTuning {
  /// Gives code and constants back to the kernel, which maps a page again when it is used.
  /// The start searches the types of the whole program for their conformances, and rare calls touch pages that the service may never
  /// use again. The kernel would keep them in the resident memory as long as no other program needs memory.
  public static func giveBackFilePages() {
    linux_give_back_file_pages()
  }
}
