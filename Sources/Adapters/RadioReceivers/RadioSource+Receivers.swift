import Proximity
import RadioHealth

extension RadioSource {
  /// The abilities of each adapter by its number; an adapter that is not used or hangs receives nothing.
  public var receivers: Receivers {
    let adapters = adapters
    var receptions = [Reception](repeating: .lost, count: (adapters.map { Int($0.number) + 1 }.max() ?? 0))
    for adapter in adapters { receptions[Int(adapter.number)] = adapter.state.reception }
    return .each(receptions)
  }
}

extension AdapterHealth.State {
  fileprivate var reception: Reception {
    switch self {
    case .scanning: .hearing
    case .paused, .idle: .paused
    case .silent, .off, .blocked, .gone: .lost
    }
  }
}
