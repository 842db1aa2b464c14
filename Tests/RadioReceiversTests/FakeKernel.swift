import BeaconAdvertising
import Beacons
import EventLoop
import HCI
import TestSupport
import Testing

@testable import HCI
@testable import RadioReceivers

/// A kernel whose adapters a test plugs in. Each is a socket pair, of which the test is the controller's end.
final class FakeKernel {
  /// A controller that answers every command with success.
  final class Controller {
    fileprivate(set) var adapter: HCIAdapter
    let peer: PacketPeer
    /// The opcodes of the received commands: 0x200C and 0x2042 switch a scan.
    private(set) var commands: [[UInt8]] = []
    private var answers: IOSource?

    init(_ loop: Loop, _ adapter: HCIAdapter) throws {
      self.adapter = adapter
      peer = try PacketPeer()
      answers = try peer.answer(on: loop) { [unowned self] command in
        commands.append(Array(command.dropFirst()))
        let opcode = Array(command[1...2])
        return Packets.complete(opcode, 0x00, opcode == [0x02, 0x10] ? Packets.supportedCommands(octet37: 0x00) : [])
      }
    }

    deinit {
      answers?.cancel()
    }

    /// The state after the last LE Set Scan Enable.
    var isScanning: Bool { commands.last { $0.prefix(2) == [0x0C, 0x20] }?[3] == 1 }
  }

  /// Whether this program has CAP_NET_RAW.
  var isAllowed = true
  private(set) var controllers: [Controller] = []
  private let loop: Loop
  private var onChange: () -> Void = {}

  init(_ loop: Loop) {
    self.loop = loop
  }

  static let refusal = HCIError.missing(.netRaw, place: "Bluetooth", purpose: "hearing packets")

  var port: PacketPort {
    PacketPort(
      adapters: { [unowned self] () throws(HCIError) in controllers.map(\.adapter) },
      isAnyAdapterPlugged: { [unowned self] in !controllers.isEmpty },
      open: { [unowned self] (adapter, number) throws(HCIError) in
        guard let controller = controllers.first(where: { $0.adapter == adapter }) else { throw .noAdapter(adapter.name) }
        return try HCISource(loop, packets: controller.peer.handOver(), name: adapter.name, number: number)
      },
      watch: { [unowned self] (onChange) throws(HCIError) in
        guard isAllowed else { throw Self.refusal }
        self.onChange = onChange
        return self
      })
  }

  @discardableResult
  func plug(_ index: UInt16, _ address: String, isOn: Bool = true) throws -> Controller {
    let adapter = HCIAdapter(index: index, address: try #require(BluetoothAddress(address)), isOn: isOn, isBlocked: false)
    let controller = try Controller(loop, adapter)
    controllers.append(controller)
    onChange()
    return controller
  }

  /// Blocks an adapter as rfkill does, and reports the change once.
  func block(_ index: UInt16) {
    for controller in controllers where controller.adapter.index == index {
      controller.adapter = HCIAdapter(index: index, address: controller.adapter.address, isOn: false, isBlocked: true)
    }
    onChange()
  }

  func unplug(_ index: UInt16) {
    controllers.removeAll { $0.adapter.index == index }
    onChange()
  }
}
