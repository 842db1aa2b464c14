import Diagnosis
import Terminal
import Testing

@Suite struct DiagnosisTextTests {
  private static let style = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)
  private static let diagnosis = Diagnosis([
    Finding(.adapter, .fault, "there is no Bluetooth adapter; plug one in, or find it with lsusb and dmesg"),
    Finding(.kernel, .ok, "Linux 6.1.0-28-amd64"),
    Finding(
      .bluetoothd, .warning, "bluetoothd has no monitor",
      command: "sudo install -Dm 644 /usr/share/beaconmon/x.conf /etc/systemd/system/bluetooth.service.d/beaconmon.conf && sudo reboot"),
    Finding(.firmware, .unknown, "could not be checked: \u{1B}[31mno"),
  ])

  @Test func `a pipe gets a line for each finding, and whole commands`() {
    #expect(
      DiagnosisText(style: Self.style).text(Self.diagnosis) == """
        ok       kernel        Linux 6.1.0-28-amd64
        fault    adapter       there is no Bluetooth adapter; plug one in, or find it with lsusb and dmesg
        unknown  firmware      could not be checked: ?[31mno
        warning  bluetoothd    bluetoothd has no monitor
                               sudo install -Dm 644 /usr/share/beaconmon/x.conf /etc/systemd/system/bluetooth.service.d/beaconmon.conf && sudo reboot

        1 fault, 1 warning, 1 fact unknown
        """)
  }

  @Test func `a narrow window gets lines that fit, and commands that a shell reads as one`() {
    #expect(
      DiagnosisText(style: Self.style, width: 60).text(Self.diagnosis) == """
        ok       kernel        Linux 6.1.0-28-amd64
        fault    adapter       there is no Bluetooth adapter; plug
                               one in, or find it with lsusb and
                               dmesg
        unknown  firmware      could not be checked: ?[31mno
        warning  bluetoothd    bluetoothd has no monitor
         sudo install -Dm 644 /usr/share/beaconmon/x.conf \\
           /etc/systemd/system/bluetooth.service.d/beaconmon.conf &&
         sudo reboot

        1 fault, 1 warning, 1 fact unknown
        """)
  }

  @Test(arguments: [20, 60, 80])
  func `texts never exceed the window`(width: Int) {
    let texts = Diagnosis([Finding(.capabilities, .warning, "beaconmond has neither CAP_NET_RAW nor CAP_NET_ADMIN", command: "sudo a")])
    let lines = DiagnosisText(style: Self.style, width: width).text(texts).split(separator: "\n")
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.count <= max(width, 36) }, "\(lines)")
  }

  @Test func `a machine without faults and warnings is healthy`() {
    #expect(DiagnosisText(style: Self.style).text(Diagnosis([])) == "\nnothing is wrong")
  }
}
