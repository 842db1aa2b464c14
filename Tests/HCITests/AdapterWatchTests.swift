import EventLoop
import Instants
import TestSupport
import Testing

@testable import HCI

/// The kernel's messages about adapters.
///
/// They are Bluetooth Core's vendor event 0xFD with the event and the adapter (include/net/bluetooth/hci_sock.h).
@Suite struct AdapterWatchTests {
  let loop: Loop
  let peer: PacketPeer

  init() throws {
    loop = try Loop()
    peer = try PacketPeer()
  }

  /// Returns an HCI_EV_SI_DEVICE event: HCI_DEV_REG 1, UNREG 2, UP 3, DOWN 4, and the index.
  private func says(_ event: UInt8) -> [UInt8] { [0x04, 0xFD, 0x06, 0x01, 0x00, event, 0x00, 0x00, 0x00] }

  private func watch(_ onChange: @escaping () -> Void) throws -> AdapterWatch {
    try AdapterWatch(loop, .taking(peer.handOver(), name: "Bluetooth"), onChange: onChange)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt8])
  func `an added, removed or switched adapter is reported`(event: UInt8) throws {
    let told = Holder<AdapterWatch>()
    peer.send(says(event))
    try loop.value { done in told.value = try watch { done(()) } }
  }

  @Test func `several messages of the kernel at one time are reported once`() throws {
    var changes = 0
    let watch = try watch { changes += 1 }
    for event in [1, 3, 4, 3] as [UInt8] { peer.send(says(event)) }
    // All packets are in the socket before the loop polls.
    try loop.run(for: .milliseconds(20))
    #expect(changes == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `the watch continues until it is released`() throws {
    var changes = 0
    let watch = Holder(try watch { changes += 1 })
    for expected in 1...3 {
      peer.send(says(3))
      // The packet is in the socket before the loop polls.
      try loop.run(for: .milliseconds(20))
      #expect(changes == expected)
    }
    watch.value = nil
    peer.send(says(4))
    // The packet is in the socket before the loop polls, so a watch that still exists would report it in the first turn.
    try loop.run(for: .milliseconds(20))
    #expect(changes == 3)
  }
}
