import Proximity
import Radios

extension RadioSource {
  /// What each adapter can do, by its number; one that is not used, or that hangs, hears nothing.
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
