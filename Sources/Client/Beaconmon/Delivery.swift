import Dispatch

/// How the calls of a delegate come to the main actor.
///
/// `mainQueue` serves every program whose main actor runs: `@main` with an async `main`, `dispatchMain()`, `RunLoop.main`. A program whose main thread
/// runs another loop says how to have work done there, from any thread and in order; Docs/guides/porting-from-core-location.md does so for GLib.
public struct Delivery: Sendable {
  let schedule: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

  /// - Parameter schedule: has its argument called on the main thread, once.
  public init(_ schedule: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }

  public static let mainQueue = Delivery { job in DispatchQueue.main.async { MainActor.assumeIsolated { job() } } }
}
