import EventLoop
import Foundation

/// The clocks of a program under test, which the test can set while it runs: Peers/clocks.c.
public final class TestClocks {
  private let folder: TemporaryDirectory
  private let area: UnsafeMutablePointer<Int64>

  /// Creates clocks that equal the machine's, and are synchronised.
  public init() throws {
    folder = try TemporaryDirectory()
    try Child.run("/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", folder.file("clocks.so"), Self.source, "-ldl"])
    try Data(count: 32).write(to: URL(fileURLWithPath: folder.file("clocks")))
    let file = open(folder.file("clocks"), O_RDWR | O_CLOEXEC)
    defer { close(file) }
    guard file >= 0, let shared = mmap(nil, 32, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), shared != MAP_FAILED else {
      throw SystemCallError.last("mmap", folder.path)
    }
    area = shared.assumingMemoryBound(to: Int64.self)
    area[3] = 1
  }

  deinit {
    munmap(area, 32)
  }

  /// The environment for the program.
  public var environment: [String: String] { ["LD_PRELOAD": folder.file("clocks.so"), "TEST_CLOCKS": folder.file("clocks")] }

  /// The seconds by which the program's wall clock is ahead of the machine's.
  public var ahead: Double {
    get { Double(area[0]) / 1e6 }
    set { area[0] = Int64(newValue * 1e6) }
  }

  /// - Parameter isSynchronised: With nil, the program may not read the state.
  public func setSynchronised(_ isSynchronised: Bool?) { area[3] = isSynchronised.map { $0 ? 1 : 0 } ?? -1 }

  /// Advances all clocks. A waiting program notices it when an input wakes it.
  public func pass(seconds: Double) {
    for index in 0..<3 { area[index] += Int64(seconds * 1e6) }
  }

  /// Simulates a sleep of the machine.
  ///
  /// The wall clock and the boot clock advance, the monotonic clock does not.
  public func sleep(seconds: Double) {
    for index in [0, 2] { area[index] += Int64(seconds * 1e6) }
  }

  private static let source =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Peers/clocks.c"
}
