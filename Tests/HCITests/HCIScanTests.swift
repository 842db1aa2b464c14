import BeaconAdvertising
import Beacons
import EventLoop
import Instants
import TestSupport
import Testing

@testable import HCI

/// The scan of a source, with a controller that the test simulates.
@Suite struct HCIScanTests {
  let loop: Loop
  let peer: PacketPeer

  init() throws {
    loop = try Loop()
    peer = try PacketPeer()
  }

  /// Answers every command with success; `octet37` contains the supported commands.
  private static func obedient(_ command: [UInt8], octet37: UInt8 = 0x60) -> [UInt8] {
    let opcode = Array(command[1...2])
    return Packets.complete(opcode, 0x00, opcode == [0x02, 0x10] ? Packets.supportedCommands(octet37: octet37) : [])
  }

  /// Returns the state that follows `.startingScan`.
  private func outcome(of source: HCISource) throws -> HCISource.State {
    try loop.value { done in
      source.onStateChange = { if $0 != .startingScan { done($0) } }
      source.scan()
    }
  }

  @Test func `a controller is set up to scan, and its reports meanwhile are received`() throws {
    let source = try peer.source(loop)
    var heard: [Sighting] = []
    source.onSightings = { heard += $0 }
    let controller = try peer.answer(on: loop) { command in
      peer.send(Packets.iBeacon(minor: command[1]))
      return Self.obedient(command)
    }
    #expect(try outcome(of: source) == .scanning)
    #expect(heard.map(\.beacon.minor) == [0x02, 0x42, 0x41, 0x42])
    controller.cancel()
  }

  @Test func `a refusal is reported with the command and the adapter, and listening continues`() throws {
    let source = try peer.source(loop)
    let controller = try peer.answer(on: loop) { command in
      command[1...2] == [0x0B, 0x20] ? Packets.complete([0x0B, 0x20], 0x12) : Self.obedient(command, octet37: 0x00)
    }
    let refusal = HCIError.command("LE Set Scan Parameters", adapter: "hci7", status: 0x12)
    #expect(try outcome(of: source) == .scanFailed(refusal))
    controller.cancel()
    peer.send(Packets.iBeacon(minor: 1))
    let heard: [Sighting] = try loop.value { source.onSightings = $0 }
    #expect(heard.count == 1)
  }

  @Test func `a controller that hangs is distinguished from one that refuses`() throws {
    let source = try peer.source(loop)
    #expect(try outcome(of: source) == .scanFailed(.noAnswer("Read Local Supported Commands", adapter: "hci7")))
  }

  @Test func `a controller that is removed during setup is reported as gone`() throws {
    let source = try peer.source(loop)
    let controller = try peer.answer(on: loop) { _ in
      peer.end()
      return nil
    }
    let last = try outcome(of: source)
    #expect(last == .gone(.gone("hci7")) || last == .gone(.ended("hci7")))
    controller.cancel()
  }

  @Test func `a scan ends when its source is stopped or released`() throws {
    let stop: [UInt8] = [0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]
    let source = Holder(try peer.source(loop))
    let controller = try peer.answer(on: loop) { Self.obedient($0) }
    for end in [{ source.value?.stop() }, { source.value = nil }] {
      if let source = source.value { #expect(try outcome(of: source) == .scanning) }
      // Lets the controller read the first command of the scan.
      try loop.run(for: .milliseconds(1))
      try controller.setInterest([])
      end()
      #expect(peer.received() == [stop])
      try controller.setInterest(.readable)
    }
    controller.cancel()
  }

  @Test func `listening to the scans of other programs sends no command`() throws {
    let source = try peer.source(loop)
    peer.send(Packets.iBeacon(minor: 1))
    _ = try loop.value { source.onSightings = $0 }
    source.stop()
    #expect(peer.received().isEmpty)
    #expect(source.state == .listening)
  }

  @Test(arguments: [[0x0C, 0x20], [0x0B, 0x20]] as [[UInt8]])
  func `a command of another program that ends the scan is reported, and no other`(opcode: [UInt8]) throws {
    let source = try peer.source(loop)
    let controller = try peer.answer(on: loop) { Self.obedient($0, octet37: 0x00) }
    #expect(try outcome(of: source) == .scanning)
    var states: [HCISource.State] = []
    source.onStateChange = { states.append($0) }
    peer.send(Packets.complete(opcode, 0x00))
    // The packet is in the socket before the loop polls.
    try loop.run(for: .milliseconds(20))
    #expect(states == (opcode[0] == 0x0C ? [.listening] : []))
    controller.cancel()
  }
}
