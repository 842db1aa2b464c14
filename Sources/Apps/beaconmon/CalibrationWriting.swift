import BeaconAdvertising
import Beacons
import Failures
import Glibc
import MonitorConfiguration
import ProgramSupport
import Ranging
import Records
import SignalCalibration
import Terminal

/// The drop-in of a calibration, which is written after confirmation.
struct CalibrationWriting {
  private let main: String
  private let configuration: Configuration

  /// - Parameter main: The path of the config.
  init(_ main: String, _ configuration: Configuration) {
    (self.main, self.configuration) = (main, configuration)
  }

  /// Writes the offsets beside the config.
  ///
  /// - Parameters:
  ///   - origin: A line for people about the measurement.
  ///   - writer: The command for people.
  ///   - asks: Whether the user decides; without a terminal, nothing is written then.
  ///   - isOnlyReceiver: false if the machine has other adapters, whose offsets stay.
  ///   - address: Returns the address of an adapter.
  func write(
    _ offsets: CalibrationOffsets, origin: String, by writer: String = "`beaconmon calibrate`", asks: Bool,
    isOnlyReceiver: Bool = true, address: (UInt16) -> BluetoothAddress?
  ) throws {
    let dropIn: CalibrationDropIn
    do throws(ConfigurationError) {
      dropIn = try CalibrationDropIn(
        offsets, beside: main, configured: configuration.adapters.filter { $0.rssiOffset != 0 }.map(\.address), origin: origin, by: writer,
        common: isOnlyReceiver ? nil : configuration.ranging.rssiOffset, address: address)
    } catch {
      throw Failure(error)
    }
    let count = dropIn.kept.count
    let kept = count == 0 ? "" : " The offsets of \(Count.text(count, "other beacon")) stay."
    if asks {
      guard isatty(STDIN_FILENO) == 1, TerminalOutput.standardError.isTerminal else {
        return try TerminalOutput.standardError.write("nothing was written; --yes writes it without confirmation\n")
      }
      guard try Self.isConfirmed("Write \(dropIn.path)?\(kept)") else {
        return try TerminalOutput.standardError.write("nothing was written\n")
      }
    }
    do throws(ConfigurationError) { try dropIn.write() } catch { throw Failure(error) }
    let next = "\"systemctl reload beaconmond\" applies it, and removing the file undoes it"
    try TerminalOutput.standardError.write("\(dropIn.path): written; \(next)\n")
  }

  /// Asks on the terminal; false at the end of the input.
  private static func isConfirmed(_ question: String) throws(OutputError) -> Bool {
    try TerminalOutput.standardError.write("\n\(question) [y/N] ")
    return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
  }
}
