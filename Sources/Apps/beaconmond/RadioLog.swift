import BeaconAdvertising
import Logging
import Radios

/// What is said in the log of the radio and of each adapter: every change for better or worse, once.
///
/// An adapter that is about to scan is nothing new: it pauses again and again where a mouse is to come back.
struct RadioLog {
  private var note: String?
  private var adapters: [BluetoothAddress: String] = [:]

  /// The lines that are due now. Nil notes are good news, which the adapters tell.
  mutating func lines(note: String?, adapters health: [AdapterHealth]) -> [(level: Logger.Level, text: String)] {
    var lines: [(level: Logger.Level, text: String)] = []
    if let note, note != self.note { lines.append((.warning, note)) }
    self.note = note
    let before = adapters
    adapters = adapters.filter { address, _ in health.contains { $0.address == address } }
    for adapter in health where !adapter.isUnremarkable {
      let text = adapter.line
      adapters[adapter.address] = text
      guard text != before[adapter.address] else { continue }
      lines.append((adapter.state == .scanning && adapter.notes.isEmpty ? .notice : .warning, text))
    }
    return lines
  }
}

extension AdapterHealth {
  /// About to scan; or of the config, while nobody has said yet which adapters there are.
  fileprivate var isUnremarkable: Bool { notes.isEmpty && (state == .paused || state == .gone) }

  /// `00:1A:7D:DA:71:13 is blocked: unblock it with "rfkill unblock bluetooth"`
  fileprivate var line: String { "\(address) is \(state.rawValue)" + (notes.isEmpty ? "" : ": \(notes.joined(separator: "; "))") }
}
