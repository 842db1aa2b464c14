import Instants
import TestSupport
import Testing

@testable import HCI

/// The octets are those of the Bluetooth Core Specification 5.4, Volume 4, Part E: 7.4.2, 7.8.10, 7.8.11, 7.8.64, 7.8.65.
@Suite struct PassiveScanTests {
  static let readSupportedCommands: [UInt8] = [0x01, 0x02, 0x10, 0x00]
  static let legacy: [[UInt8]] = [
    [0x01, 0x0C, 0x20, 0x02, 0x00, 0x00],
    [0x01, 0x0B, 0x20, 0x07, 0x00, 0x60, 0x00, 0x60, 0x00, 0x00, 0x00],
    [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00],
  ]
  static let extended: [[UInt8]] = [
    [0x01, 0x42, 0x20, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    [0x01, 0x41, 0x20, 0x08, 0x00, 0x00, 0x01, 0x00, 0x60, 0x00, 0x60, 0x00],
    [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00],
  ]
  static let start = Instant(microseconds: 1_000_000)

  /// Returns the commands sent to a controller that answers with these statuses in turn, and the last action.
  private static func run(octet37: UInt8, statuses: [UInt8]) throws -> (commands: [[UInt8]], last: PassiveScan.Action) {
    var scan = PassiveScan()
    var commands: [[UInt8]] = []
    var action = scan.start(at: start)
    var statuses = statuses[...]
    while case .send(let command) = action, let status = statuses.popFirst() {
      commands.append(command.octets)
      let parameters = command.opcode == 0x1002 && status == 0 ? Packets.supportedCommands(octet37: octet37) : []
      action = scan.receive(CommandAnswer(opcode: command.opcode, status: status, parameters: parameters), at: start)
    }
    return (commands, action)
  }

  @Test(
    arguments: [(0x60, extended), (0xFF, extended), (0x20, legacy), (0x40, legacy), (0x00, legacy), (0x9F, legacy)]
      as [(UInt8, [[UInt8]])])
  func `the extended commands are used where both are supported`(octet37: UInt8, expected: [[UInt8]]) throws {
    let (commands, last) = try Self.run(octet37: octet37, statuses: [0, 0, 0, 0])
    #expect(commands == [Self.readSupportedCommands] + expected)
    #expect(last == .started)
  }

  @Test func `a controller that does not report its commands counts as an old one`() throws {
    let (commands, last) = try Self.run(octet37: 0xFF, statuses: [0x01, 0, 0, 0])
    #expect(commands == [Self.readSupportedCommands] + Self.legacy)
    #expect(last == .started)
  }

  @Test(arguments: [[], [0x00], Array(Packets.supportedCommands(octet37: 0xFF).prefix(37))] as [[UInt8]])
  func `a truncated answer about the commands selects the legacy commands`(parameters: [UInt8]) {
    var scan = PassiveScan()
    _ = scan.start(at: Self.start)
    let action = scan.receive(CommandAnswer(opcode: 0x1002, status: 0, parameters: parameters), at: Self.start)
    #expect(action == .send(ScanCommands.legacy.setEnabled(false)))
  }

  @Test func `a controller may refuse to stop a scan that does not run`() throws {
    let commandDisallowed: UInt8 = 0x0C
    #expect(try Self.run(octet37: 0x60, statuses: [0, commandDisallowed, 0, 0]).last == .started)
  }

  @Test(arguments: [2, 3])
  func `a refused command ends the attempt with its status`(step: Int) throws {
    var statuses: [UInt8] = [0, 0, 0, 0]
    statuses[step] = 0x12
    let (commands, last) = try Self.run(octet37: 0x00, statuses: statuses)
    #expect(commands.count == step + 1)
    let refused = step == 2 ? ScanCommands.legacy.setParameters : ScanCommands.legacy.setEnabled(true)
    #expect(last == .failed(.refused(refused, status: 0x12)))
  }

  @Test func `a command without an answer times out after two seconds`() {
    var scan = PassiveScan()
    _ = scan.start(at: Self.start)
    #expect(scan.deadline == Self.start + .seconds(2))
    #expect(scan.advance(to: scan.deadline + .milliseconds(-1)) == .none)
    #expect(scan.advance(to: scan.deadline) == .failed(.noAnswer(.readSupportedCommands)))
    #expect(scan.deadline == .never)
    #expect(!scan.isWaiting)
  }

  @Test func `every command has its own timeout of two seconds`() {
    var scan = PassiveScan()
    _ = scan.start(at: Self.start)
    _ = scan.receive(CommandAnswer(opcode: 0x1002, status: 0x01), at: Self.start + .seconds(1))
    #expect(scan.deadline == Self.start + .seconds(3))
  }

  @Test func `answers to commands of other programs are ignored`() {
    var scan = PassiveScan()
    _ = scan.start(at: Self.start)
    let deadline = scan.deadline
    for opcode in [0x0C03, 0x200C, 0x0000] as [UInt16] {
      #expect(scan.receive(CommandAnswer(opcode: opcode, status: 0), at: Self.start + .seconds(1)) == .none)
    }
    #expect(scan.deadline == deadline)
  }

  @Test func `a second start sets up the scan again`() throws {
    var scan = PassiveScan()
    _ = scan.start(at: Self.start)
    _ = scan.receive(CommandAnswer(opcode: 0x1002, status: 0x01), at: Self.start)
    #expect(scan.start(at: Self.start + .seconds(9)) == .send(.readSupportedCommands))
    #expect(scan.deadline == Self.start + .seconds(11))
  }

  @Test(arguments: [(0, nil), (1, nil), (2, nil), (3, legacy[0]), (4, legacy[0])] as [(Int, [UInt8]?)])
  func `a stop ends only a scan that may be running`(answers: Int, expected: [UInt8]?) {
    var scan = PassiveScan()
    var action = scan.start(at: Self.start)
    for _ in 0..<answers {
      guard case .send(let command) = action else { break }
      action = scan.receive(CommandAnswer(opcode: command.opcode, status: 0), at: Self.start)
    }
    #expect(scan.stop()?.octets == expected)
    #expect(scan.stop() == nil)
    #expect(!scan.isWaiting)
  }
}
