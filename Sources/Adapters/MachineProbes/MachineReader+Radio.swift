import Diagnosis
import EventLoop
import Instants

/// A wireless interface, and the Bluetooth adapter on its chip.
public struct WirelessInterface: Hashable, Sendable {
  public let name: String
  public let adapter: String?
}

extension MachineReader {
  /// Reads the adapters from sysfs, with their states of rfkill.
  public func radio() -> Probed<RadioFacts> {
    read { files in
      let folder = "/sys/class/bluetooth"
      let names = files.names(in: folder).filter(Self.isAdapter)
      let blocks = files.names(in: "/sys/class/rfkill").map { "/sys/class/rfkill/\($0)" }
      let adapters = names.map { name in
        let block = blocks.first { files.line("\($0)/name") == name }
        return RadioFacts.Adapter(
          name: name, connection: files.resolved("\(folder)/\(name)").flatMap(Self.connection),
          isSoftBlocked: block.flatMap { files.line("\($0)/soft") } == "1",
          isHardBlocked: block.flatMap { files.line("\($0)/hard") } == "1",
          block: block)
      }
      return RadioFacts(isSupported: files.exists(folder), adapters: adapters)
    }
  }

  /// Returns whether a name is that of an adapter, and not of a connection such as `hci0:64`.
  private static func isAdapter(_ name: String) -> Bool { name.hasPrefix("hci") && name.dropFirst(3).allSatisfy(\.isNumber) }

  /// The parts of paths in sysfs, the most telling ones first.
  private static let connections: [(part: String, name: String)] = [
    ("/usb", "usb"), ("/tty", "serial"), ("/serial", "serial"), ("/virtual/", "virtual"), ("/mmc", "sdio"), ("/pci", "pci"),
  ]

  /// Returns the kind of a device by its path in sysfs.
  private static func connection(_ path: String) -> String? {
    connections.first { path.contains($0.part) }?.name
  }

  /// The wireless interfaces, each with the adapter on the same chip.
  public func wirelessInterfaces() -> Probed<[WirelessInterface]> {
    read { files in
      let adapters = files.names(in: "/sys/class/bluetooth").filter(Self.isAdapter)
      return files.names(in: "/sys/class/net").filter { files.exists("/sys/class/net/\($0)/phy80211") }.map { interface in
        WirelessInterface(name: interface, adapter: adapters.first { Self.isOneChip(interface, $0, files) })
      }
    }
  }

  /// The drivers of Wi-Fi in PCI slots with Bluetooth of the same chip at USB, and the USB vendors of that.
  private static let combinations = [("iwlwifi", "8087"), ("rtw", "0bda"), ("rtl", "0bda"), ("mt7", "0e8d"), ("ath1", "0cf3")]

  private static func isOneChip(_ interface: String, _ adapter: String, _ files: MachineFiles) -> Bool {
    guard let wifi = files.resolved("/sys/class/net/\(interface)/device"),
      let bluetooth = files.resolved("/sys/class/bluetooth/\(adapter)/device")
    else { return false }
    // Two functions of one device: /sys/devices/…/1-4/1-4:1.0 and /sys/devices/…/1-4/1-4:1.2.
    if parent(wifi) == parent(bluetooth), wifi.contains("/usb") { return true }
    let driver = files.resolved("/sys/class/net/\(interface)/device/driver").flatMap { $0.split(separator: "/").last } ?? ""
    // A Raspberry Pi has both in one chip, at SDIO and at a serial port.
    if driver.hasPrefix("brcmfmac"), !bluetooth.contains("/usb") { return true }
    let vendor = files.line("/sys/class/bluetooth/\(adapter)/device/../idVendor")
    return combinations.contains { driver.hasPrefix($0.0) && vendor == $0.1 }
  }

  private static func parent(_ path: String) -> Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

  /// Returns the frequency in MHz in the output of `iw dev INTERFACE link`; nil if it is not connected.
  public static func frequency(in output: String) -> Int? {
    for line in output.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count > 1, words[0] == "freq:" { return Double(words[1]).flatMap { Int(exactly: $0.rounded()) } }
    }
    return nil
  }

  /// Returns a version such as `5.66` in the output of `bluetoothd --version` or `bluetoothctl --version`.
  public static func version(in output: String) -> String? {
    output.split(whereSeparator: \.isWhitespace).first { $0.first?.isNumber == true && $0.contains(".") }.map(String.init)
  }
}
