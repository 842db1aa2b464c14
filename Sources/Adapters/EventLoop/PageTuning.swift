import CLinux

/// The pages of the program's file in memory.
public enum PageTuning {
  /// Gives the code and constants of the start back to the kernel, which maps a page again when it is used.
  /// The start searches the types of the whole program for their conformances, and touches pages that the service may never use
  /// again.
  public static func giveBackFilePages() {
    linux_give_back_file_pages()
  }
}
