extension Loop {
  /// Work that several callbacks may ask for and that is done once, after all of them.
  public func deferred(_ body: @escaping () -> Void) -> DeferredSource {
    DeferredSource(loop: self, body: body)
  }
}

/// Fires once after the callbacks of the turn in which it was triggered, however often that was. Triggered from its own callback it fires
/// in the next turn, after descriptors and timers had theirs.
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

  /// Takes back a trigger that has not fired yet.
  public func cancel() {
    isTriggered = false
  }

  private func fire() {
    guard isTriggered else { return }
    isTriggered = false
    body()
  }
}
