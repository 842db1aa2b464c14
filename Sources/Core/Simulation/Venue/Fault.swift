import Instants

/// Something that goes wrong with the device, once or again and again.
public struct Fault: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// An adapter hears nothing; the engine is told after `noticedAfter`, and at once when it hears again.
    case outage(adapter: UInt16, noticedAfter: Span)
    /// The daemon ends and starts anew, with a new engine. The adapters hear on, and nobody takes it.
    case restart
    /// The receiver of positions has no fix. It says so, or, when it is silent, nothing.
    case positionOutage(isSilent: Bool)
    /// The wall clock is set: what a capture is stamped with. The engine's clock counts from boot and does not notice.
    case clockStep(by: Span)
  }

  public let kind: Kind
  /// Since the beginning.
  public let at: Span
  /// Zero for a clock step.
  public let lasts: Span
  /// After so long it happens again; longer than it lasts. Nil: once.
  public let every: Span?

  public init(_ kind: Kind, at: Span, lasts: Span = .zero, every: Span? = nil) {
    self.kind = kind
    self.at = at
    self.lasts = lasts
    self.every = every
  }
}

/// One moment of a fault.
public enum FaultChange: Hashable, Sendable {
  case adapterOut(UInt16)
  /// The device has found out that the adapter hears nothing.
  case outageNoticed(UInt16)
  case adapterBack(UInt16)
  case positionLost(isSilent: Bool)
  case positionBack(isSilent: Bool)
  case daemonEnds
  case daemonStarts
  case clockStep(by: Span)
}
