import EventLoop
import HCI
import TestSupport

extension PacketPeer {
  func source(_ loop: Loop, number: UInt16 = 0) throws -> HCISource {
    try HCISource(loop, packets: handOver(), name: "hci7", number: number)
  }
}
