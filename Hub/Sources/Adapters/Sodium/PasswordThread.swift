public import EventLoop
public import FleetPage

/// Verifies passwords on one thread, one at a time.
///
/// Many attempts therefore take neither the memory nor all processors of the machine.
public final class PasswordThread: PasswordVerifier {
  /// The verifications that may wait.
  /// Each takes about a tenth of a second.
  private static let mostWaiting = 16

  private let threads: WorkThreads<Void>
  /// The hash that a password without an account is compared with, so that the answer takes as long.
  private let decoy: PasswordHash

  public init(_ loop: Loop) throws {
    var random = SystemRandomNumberGenerator()
    decoy = try PasswordHash(of: "\(random.next() as UInt64) \(random.next() as UInt64)")
    threads = try WorkThreads(loop, named: "beaconmon-pass", count: 1, mostWaiting: Self.mostWaiting) {}
  }

  public func verify(_ password: String, against hash: String?, _ completion: @escaping (PasswordVerdict) -> Void) -> Bool {
    let stored = hash.map { PasswordHash(stored: $0) }
    return threads.run(
      { [decoy] _ in
        do throws(PasswordHashError) {
          let isRight = try (stored ?? decoy).matches(password)
          return isRight && stored != nil ? PasswordVerdict.right : .wrong
        } catch {
          return .unavailable
        }
      }, completion)
  }
}
