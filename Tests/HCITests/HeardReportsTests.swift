import BeaconAdvertising
import EventLoop
import TestSupport
import Testing

@testable import HCI

@Suite struct HeardReportsTests {
  /// Reads the packets as `HCISource` does.
  private func devices(of packets: [[UInt8]]) -> [UInt64] {
    var reports = HeardReports()
    for packet in packets { packet.withUnsafeBytes { reports.note($0) } }
    return reports.devices
  }

  /// An LE Extended Advertising Report: event type (2), address type, address. The decoder reads nothing after these.
  private static let extended: [UInt8] =
    [0x04, 0x3E, 0x1A, 0x0D, 0x01, 0x10, 0x00, 0x01, 0x01, 0x02, 0x03, 0x04, 0x05, 0xC6] + [UInt8](repeating: 0, count: 15)

  @Test func `a device has the same identity in legacy and extended reports`() {
    let devices = devices(of: [Packets.iBeacon(minor: 1), Self.extended])
    #expect(devices == [0x0102_0304_05C6, 0x0102_0304_05C6])
  }

  @Test func `malformed reports and other packets yield no device`() {
    let others: [[UInt8]] = [[], [0x04], Packets.complete([0x0C, 0x20], 0), Array(Packets.iBeacon(minor: 1).prefix(13))]
    #expect(devices(of: others).isEmpty)
    _ = devices(of: Packets.malformed)
  }

  @Test func `a bounded number of reports in a flood is inspected`() {
    #expect(devices(of: (0..<100).map { _ in Packets.iBeacon(minor: 1) }).count == HeardReports.mostDevices)
  }

  @Test func `each reading counts its reports`() throws {
    let loop = try Loop()
    let peer = try PacketPeer()
    let source = try peer.source(loop)
    for minor in 1...5 as ClosedRange<UInt8> { peer.send(Packets.iBeacon(minor: minor)) }
    peer.send(Packets.complete([0x0C, 0x20], 0))
    let counts: (Int, Int) = try loop.value { done in source.onReports = { done(($0.count, $0.devices.count)) } }
    #expect(counts == (5, 5))
  }
}
