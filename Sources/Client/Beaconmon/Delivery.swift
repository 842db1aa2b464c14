import Dispatch

/// The way in which calls of a delegate reach the main actor.
///
/// `mainQueue` serves every program whose main actor runs: `@main` with an async `main`, `dispatchMain()`, `RunLoop.main`.
/// A program whose main thread runs another loop supplies a closure that schedules work there, from any thread and in order.
/// Docs/guides/porting-from-core-location.md shows one for GLib.
public struct Delivery: Sendable {
  let schedule: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

  /// - Parameter schedule: calls its argument on the main thread, once.
  public init(_ schedule: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void) {
    self.schedule = schedule
  }

  public static let mainQueue = Delivery { job in DispatchQueue.main.async { MainActor.assumeIsolated { job() } } }
}
