import EventLoop

/// Lets so many commands run at once; the others wait in the order in which they came.
public final class CommandSlots {
  /// Lowering it lets those that run finish.
  public var count: Int {
    didSet { fill() }
  }

  private var running = 0
  private var waiting: [() -> Void] = []

  public init(count: Int) {
    self.count = count
  }

  /// Calls `start` when there is a slot, which is taken until `leave`.
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
