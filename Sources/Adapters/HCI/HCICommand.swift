/// A command to a controller. Bluetooth Core Specification 5.4, Volume 4, Part E, 5.4.1 and the section named at each.
struct HCICommand: Hashable, Sendable {
  /// The name in the specification, for messages.
  let name: String
  /// The opcode: OGF in the upper six bits, OCF in the lower ten.
  let opcode: UInt16
  let parameters: [UInt8]

  /// The encoded command, with the packet type octet first; the opcode is little-endian.
  var octets: [UInt8] {
    let commandType: UInt8 = 0x01
    return [commandType, UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
  }
}

extension HCICommand {
  /// The command of section 7.4.2.
  static let readSupportedCommands = HCICommand(name: "Read Local Supported Commands", opcode: 0x1002, parameters: [])
}

/// The two sets of commands for scanning.
/// A controller that has taken a command of the extended set refuses the legacy set (3.1.1). The kernel uses the extended set if the
/// controller supports both of its commands, so this program applies the same rule.
enum ScanCommands: Sendable {
  case legacy
  case extended

  /// The scan interval and window: 60 ms, in units of 0.625 ms.
  /// The window fills the interval, so that the receiver is always on and seldom changes its channel. An advertiser sends on all three
  /// channels at a time, so one channel is enough.
  private static let interval: [UInt8] = [0x60, 0x00]

  /// Selects the set from `answer`, the return parameters of `readSupportedCommands` after its status.
  /// They are 64 octets of bits (6.27).
  init(supported answer: some Collection<UInt8>) {
    let extendedScan: UInt8 = 1 << 5 | 1 << 6
    self = answer.dropFirst(37).first.map { $0 & extendedScan == extendedScan } == true ? .extended : .legacy
  }

  /// The parameters of a passive scan from the own public address that accepts every advertiser.
  /// 7.8.10, or 7.8.64 with the 1M PHY, which iBeacons use.
  var setParameters: HCICommand {
    let (passive, publicAddress, acceptsAll, onlyPHY1M): (UInt8, UInt8, UInt8, UInt8) = (0x00, 0x00, 0x00, 0x01)
    let timing = Self.interval + Self.interval
    return switch self {
    case .legacy:
      HCICommand(name: "LE Set Scan Parameters", opcode: 0x200B, parameters: [passive] + timing + [publicAddress, acceptsAll])
    case .extended:
      HCICommand(
        name: "LE Set Extended Scan Parameters", opcode: 0x2041, parameters: [publicAddress, acceptsAll, onlyPHY1M, passive] + timing)
    }
  }

  /// Returns the command that switches the scan on or off, without filtering duplicates and without an end: 7.8.11, 7.8.65.
  func setEnabled(_ isEnabled: Bool) -> HCICommand {
    let enable: UInt8 = isEnabled ? 0x01 : 0x00
    return switch self {
    case .legacy: HCICommand(name: "LE Set Scan Enable", opcode: 0x200C, parameters: [enable, 0x00])
    case .extended:
      HCICommand(name: "LE Set Extended Scan Enable", opcode: 0x2042, parameters: [enable, 0x00, 0x00, 0x00, 0x00, 0x00])
    }
  }
}
