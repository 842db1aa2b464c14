import EventLoop

/// Limits the number of commands that run at once; the others wait in their order.
public final class CommandSlots {
  /// The maximum number of commands; after lowering it, running commands finish.
  public var count: Int {
    didSet { fill() }
  }

  private var running = 0
  private var waiting: [() -> Void] = []

  public init(count: Int) {
    self.count = count
  }

  /// Calls `start` when a slot is free, and occupies it until `leave`.
  func enter(_ start: @escaping () -> Void) {
    waiting.append(start)
    fill()
  }

  func leave() {
    running -= 1
    fill()
  }

  private func fill() {
    while running < count, !waiting.isEmpty {
      running += 1
      waiting.removeFirst()()
    }
  }
}
