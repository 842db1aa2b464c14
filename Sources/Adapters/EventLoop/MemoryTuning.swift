import CLinux

/// The settings of malloc(3).
public enum MallocTuning {
  /// Makes malloc return each large block to the kernel as soon as it is freed.
  /// By default malloc takes the first freed large block as a sign of more to come, and then keeps up to 64 MiB (mallopt(3),
  /// M_MMAP_THRESHOLD). One message of 10 MB would then enlarge a service for good.
  public static func returnLargeBlocks() {
    let threshold: Int32 = 128 * 1024
    mallopt(M_MMAP_THRESHOLD, threshold)
    mallopt(M_TRIM_THRESHOLD, threshold)
  }
}

/// The pages of the files of the program and its libraries in memory.
public enum PageTuning {
  /// Gives code and constants back to the kernel, which maps a page again when it is used.
  /// The start searches the types of the whole program for their conformances, and rare calls touch pages that the service may never
  /// use again. The kernel would keep them in the resident memory as long as no other program needs memory.
  public static func returnFilePages() {
    linux_give_back_file_pages()
  }
}
