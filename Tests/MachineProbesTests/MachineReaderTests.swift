import Diagnosis
import Foundation
import Glibc
import Instants
import MachineProbes
import TestSupport
import Testing

@Suite struct MachineReaderTests {
  private let folder: TemporaryDirectory
  private var reader: MachineReader { MachineReader(MachineFiles(root: folder.path), limit: .milliseconds(500)) }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func write(_ text: String, to path: String) throws {
    let file = folder.path + path
    try FileManager.default.createDirectory(
      atPath: String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
  }

  private func link(_ path: String, to target: String) throws {
    try write("", to: "\(path).tmp")
    try FileManager.default.createSymbolicLink(atPath: folder.path + path, withDestinationPath: folder.path + target)
  }

  @Test func `an empty root has reasons and no values, and nothing is invented`() {
    #expect(reader.kernel().value == nil)
    #expect(reader.radio().value == RadioFacts(isSupported: false))
    #expect(reader.isNotifierRunning().value == nil)
    #expect(reader.firmwareMessages().value == nil)
    #expect(reader.capabilities(of: 1).value == nil)
    #expect(reader.arguments(of: 1) == nil)
    #expect(reader.disk("/var/lib/beaconmon", owner: "beaconmon").value == DiskFacts(folder: "/var/lib/beaconmon", space: nil))
    #expect(reader.wirelessInterfaces().value == [])
    #expect(!reader.hasBusPolicy())
  }

  @Test func `a file that blocks its reader ends with a reason after the time limit`() throws {
    try write("", to: "/proc/sys/kernel/x")
    mkfifo("\(folder.path)/proc/sys/kernel/osrelease", 0o644)
    guard case .failed(let reason) = reader.kernel() else { return #expect(Bool(false), "the FIFO was read") }
    #expect(reason == "no answer within 500ms")
  }

  @Test func `adapters have their connection and their blocks`() throws {
    try write("", to: "/sys/devices/pci0000:00/usb1/1-4/1-4:1.0/bluetooth/hci0/uevent")
    try write("", to: "/sys/devices/virtual/bluetooth/hci1/uevent")
    try link("/sys/class/bluetooth/hci0", to: "/sys/devices/pci0000:00/usb1/1-4/1-4:1.0/bluetooth/hci0")
    try link("/sys/class/bluetooth/hci1", to: "/sys/devices/virtual/bluetooth/hci1")
    try write("", to: "/sys/class/bluetooth/hci0:64/uevent")
    for (number, name, soft, hard) in [(0, "hci0", "1", "0"), (1, "phy0", "1", "1"), (2, "hci1", "0", "1")] {
      for (key, value) in [("name", name), ("soft", soft), ("hard", hard)] {
        try write("\(value)\n", to: "/sys/class/rfkill/rfkill\(number)/\(key)")
      }
    }
    #expect(
      reader.radio().value
        == RadioFacts(adapters: [
          RadioFacts.Adapter(name: "hci0", connection: "usb", isSoftBlocked: true, block: "/sys/class/rfkill/rfkill0"),
          RadioFacts.Adapter(name: "hci1", connection: "virtual", isHardBlocked: true, block: "/sys/class/rfkill/rfkill2"),
        ]))
  }

  @Test func `programs are looked for in the folders of administrators`() throws {
    try write("", to: "/usr/sbin/rfkill")
    #expect(reader.missing(["rfkill", "beaconmon-notifier"]) == ["beaconmon-notifier"])
  }

  @Test func `Wi-Fi on the chip of an adapter is found by their device, and by the makers of combined chips`() throws {
    for (interface, device, driver) in [
      ("wlan0", "/sys/devices/usb1/1-4/1-4:1.2", "rtl8xxxu"), ("wlan1", "/sys/devices/platform/mmc1/mmc1:1", "brcmfmac"),
      ("wlan2", "/sys/devices/pci0000:00/0000:00:14.3", "iwlwifi"),
    ] {
      try write("", to: "\(device)/uevent")
      try write("", to: "/sys/bus/drivers/\(driver)/bind")
      try link("\(device)/driver", to: "/sys/bus/drivers/\(driver)")
      try write("", to: "/sys/class/net/\(interface)/phy80211/name")
      try link("/sys/class/net/\(interface)/device", to: device)
    }
    try write("", to: "/sys/class/net/eth0/address")
    try write("", to: "/sys/devices/usb1/1-4/1-4:1.0/uevent")
    try write("0bda\n", to: "/sys/devices/usb1/1-4/idVendor")
    try write("", to: "/sys/class/bluetooth/hci0/uevent")
    try link("/sys/class/bluetooth/hci0/device", to: "/sys/devices/usb1/1-4/1-4:1.0")
    let found = try #require(reader.wirelessInterfaces().value)
    #expect(found.map { "\($0.name) \($0.adapter ?? "none")" } == ["wlan0 hci0", "wlan1 none", "wlan2 none"])
    try write("8087\n", to: "/sys/devices/usb1/1-4/idVendor")
    #expect(reader.wirelessInterfaces().value?.last?.adapter == "hci0")
  }

  @Test func `firmware that failed to load is found among the lines of the kernel`() throws {
    try write(
      """
      6,1,1,-;Bluetooth: hci0: RTL: loading rtl_bt/rtl8761bu_fw.bin
      3,2,2,-;Bluetooth: hci0: RTL: firmware file rtl_bt/rtl8761bu_fw.bin not found
       SUBSYSTEM=bluetooth
      3,3,3,-;wlan0: firmware failed
      """, to: "/dev/kmsg")
    #expect(reader.firmwareMessages().value == ["Bluetooth: hci0: RTL: firmware file rtl_bt/rtl8761bu_fw.bin not found"])
  }

  @Test func `processes are known by name, arguments and capabilities, unless /proc hides them`() throws {
    try write("bluetoothctl\n", to: "/proc/70/comm")
    guard case .failed(let reason) = reader.scanningPrograms() else { return #expect(Bool(false), "/proc hides process 1") }
    #expect(reason.contains("hides the processes"))
    try write("init\n", to: "/proc/1/comm")
    try write("beaconmon-notif\n", to: "/proc/71/comm")
    try write("/usr/libexec/bluetooth/bluetoothd\0--experimental\0", to: "/proc/72/cmdline")
    try write("Name:\tbeaconmond\nCapInh:\t0000000000000000\nCapEff:\t0000000000003000\n", to: "/proc/73/status")
    #expect(reader.scanningPrograms().value == ["bluetoothctl"])
    #expect(reader.isNotifierRunning().value == true)
    #expect(reader.arguments(of: 72) == ["--experimental"])
    #expect(reader.capabilities(of: 73).value == 0x3000)
  }

  @Test func `a user is an insider by its groups, and listed by the file`() throws {
    try write("root:x:0:0:::\nalice:x:1000:1000:::\nbob:x:1001:1001:::\n", to: "/etc/passwd")
    try write("root:x:0:\nbeaconmon:x:990:bob,carol\n", to: "/etc/group")
    #expect(reader.user(UserIdentity(user: 1000, groups: [1000, 990])).value == UserFacts(name: "alice", isInsider: true))
    #expect(reader.user(UserIdentity(user: 1001, groups: [1001])).value == UserFacts(name: "bob", isListed: true))
    #expect(reader.user(UserIdentity(user: 0, groups: [0])).value == UserFacts(name: "root", isRoot: true))
  }

  @Test func `a folder has its free space and its owner`() throws {
    try write("beaconmon:x:4711:4711:::\n", to: "/etc/passwd")
    try write("", to: "/var/lib/beaconmon/journal.db")
    let space = try #require(reader.disk("/var/lib/beaconmon", owner: "beaconmon").value?.space)
    #expect(space.isOwned == false && !space.isReadOnly && space.freeOctets != 0)
    #expect(reader.disk("/var/lib/beaconmon", owner: nil).value?.space?.isOwned == true)
    #expect(reader.disk("/var/lib/beaconmon", owner: "carol").value?.space?.isOwned == .some(nil))
  }

  @Test func `a user may write in a folder of another one by its mode and the groups`() throws {
    try write("me:x:\(geteuid()):\(getegid()):::\nother:x:4711:4711:::\nguest:x:4712:4712:::\n", to: "/etc/passwd")
    try write("staff:x:\(getegid()):guest\n", to: "/etc/group")
    try write("", to: "/srv/journal.db")
    func mayWrite(_ user: String) -> Bool? { reader.disk("/srv", owner: user).value?.space?.isWritable }
    chown("\(folder.path)/srv", geteuid(), getegid())
    chmod("\(folder.path)/srv", 0o775)
    #expect([mayWrite("me"), mayWrite("guest"), mayWrite("other"), mayWrite("carol")] == [true, true, false, nil])
    chmod("\(folder.path)/srv", 0o757)
    #expect([mayWrite("guest"), mayWrite("other")] == [false, true])
  }

  @Test func `outputs of programs give a frequency and a version`() {
    #expect(MachineReader.frequency(in: "Connected to 00:11:22:33:44:55 (on wlan0)\n\tSSID: x\n\tfreq: 2437\n") == 2437)
    #expect(MachineReader.frequency(in: "\tfreq: 5180.0\n") == 5180)
    #expect(MachineReader.frequency(in: "\tfreq: nan\n") == nil)
    #expect(MachineReader.frequency(in: "Not connected.\n") == nil)
    #expect(MachineReader.version(in: "bluetoothctl: 5.66\n") == "5.66")
    #expect(MachineReader.version(in: "5.82\n") == "5.82")
    #expect(MachineReader.version(in: "no such file\n") == nil)
  }
}
