import Diagnosis

/// Finds out for `doctor` at which frequencies the wireless interfaces are connected.
public final class WirelessExamination {
  /// A wireless interface, and the adapter on the same chip.
  public struct Interface: Hashable, Sendable {
    public let name: String
    public let adapter: String?

    public init(name: String, adapter: String?) { (self.name, self.adapter) = (name, adapter) }
  }

  /// The maximum number of interfaces whose frequency is requested.
  static let most = 4

  /// The connected interfaces that are known so far.
  public private(set) var facts = Probed<[WirelessFacts]>.found([])

  public init() {}

  /// Asks for the frequencies.
  ///
  /// - Parameters:
  ///   - interfaces: nil if the kernel does not list them.
  ///   - wireless: nil if the program that shows frequencies is not installed.
  public func begin(_ interfaces: [Interface]?, _ wireless: @autoclosure () -> (any ExaminedWireless)?) {
    guard let interfaces else { return facts = .failed("no answer of the kernel") }
    guard !interfaces.isEmpty else { return }
    guard let wireless = wireless() else { return facts = .failed("the program iw is not installed; it is in the package iw") }
    for interface in interfaces.prefix(Self.most) {
      wireless.requestFrequency(of: interface.name) { [unowned self] frequency in
        guard let frequency, case .found(let known) = facts else { return }
        facts = .found(known + [WirelessFacts(interface: interface.name, frequency: frequency, adapter: interface.adapter)])
      }
    }
  }
}
