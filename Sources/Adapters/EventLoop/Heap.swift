import CLinux

/// What malloc(3) makes of memory that was used once.
public enum Heap {
  /// Gives a large block back to the kernel as soon as it is freed. By itself malloc takes the first freed large block as a sign that more will come, and then keeps up
  /// to 64 MiB (mallopt(3), M_MMAP_THRESHOLD): one message of 10 MB would make a service that large for good.
  public static func giveBackLargeBlocks() {
    let threshold: Int32 = 128 * 1024
    mallopt(M_MMAP_THRESHOLD, threshold)
    mallopt(M_TRIM_THRESHOLD, threshold)
  }
}
