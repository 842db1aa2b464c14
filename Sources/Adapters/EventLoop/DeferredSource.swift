extension Loop {
  /// Creates work that several callbacks may trigger and that runs once, after all of them.
  public func deferred(_ body: @escaping () -> Void) -> DeferredSource {
    DeferredSource(loop: self, body: body)
  }
}

/// A source that fires once after the callbacks of the turn in which it was triggered, once or often.
/// If its own callback triggers it, it fires in the next turn, after descriptors and timers.
public final class DeferredSource {
  private let loop: Loop
  private let body: () -> Void
  private var isTriggered = false

  fileprivate init(loop: Loop, body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
  }

  public func trigger() {
    guard !isTriggered else { return }
    isTriggered = true
    loop.enqueue { [weak self] in self?.fire() }
  }

  /// Cancels a trigger that has not fired yet.
  public func cancel() {
    isTriggered = false
  }

  private func fire() {
    guard isTriggered else { return }
    isTriggered = false
    body()
  }
}
