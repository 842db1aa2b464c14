public import Regions

/// The reception of a source's adapters.
public enum Receivers: Hashable, Sendable {
  /// One state for all adapters, however many there are.
  case all(Reception)
  /// A state for each adapter, by its number in sightings; adapters beyond the end are lost.
  case each([Reception])

  /// Whether an adapter can hear now.
  var canHear: Bool {
    switch self {
    case .all(let reception): reception == .hearing
    case .each(let receptions): receptions.contains(.hearing)
    }
  }

  /// The reception after each adapter that hears pauses.
  public var paused: Receivers {
    func paused(_ reception: Reception) -> Reception { reception == .hearing ? .paused : reception }
    return switch self {
    case .all(let reception): .all(paused(reception))
    case .each(let receptions): .each(receptions.map(paused))
    }
  }

  public var adapters: AdapterReception {
    switch self {
    case .all(.hearing): return .allHear
    case .all(.paused): return AdapterReception(paused: .all)
    case .all(.lost): return AdapterReception()
    case .each(let receptions):
      func those(_ reception: Reception) -> AdapterSet {
        AdapterSet(receptions.indices.lazy.filter { receptions[$0] == reception }.map { UInt16(clamping: $0) })
      }
      return AdapterReception(hearing: those(.hearing), paused: those(.paused))
    }
  }
}

/// The state of an adapter's reception.
public enum Reception: String, Sendable {
  case hearing
  /// Paused on purpose for a while: exit clocks of the regions that the adapter heard stop, and states remain.
  case paused
  /// Unable to hear: regions that only this adapter heard become unknown.
  case lost
}
