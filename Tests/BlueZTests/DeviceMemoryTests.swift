import BeaconAdvertising
import Testing

@testable import BlueZ

@Suite struct DeviceMemoryTests {
  private func beacon(_ minor: UInt16) -> BeaconPayload? {
    ManufacturerData(
      company: 0x004C, payload: [0x02, 0x15] + Array(repeating: 7, count: 18) + [UInt8(minor >> 8), UInt8(minor & 255), 0xC5]
    )
    .beacon
  }

  @Test func `a crowd does not grow the memory, and a device in range stays`() throws {
    var memory = DeviceMemory<BeaconPayload>(generation: 16)
    let (resident, passer) = (try #require(beacon(1)), try #require(beacon(2)))
    memory.remember(resident, of: "resident")
    for number in 0..<10_000 {
      memory.remember(passer, of: "passer\(number)")
      if number % 10 == 0 { #expect(memory["resident"] == resident) }
      #expect(memory.count <= 32)
    }
    #expect(memory["passer0"] == nil)
  }

  @Test func `a forgotten device is removed from both generations`() throws {
    var memory = DeviceMemory<BeaconPayload>(generation: 2)
    let resident = try #require(beacon(1))
    for name in ["a", "b", "c"] { memory.remember(resident, of: name) }
    for name in ["a", "b", "c"] { memory.forget(name) }
    #expect(memory.count == 0)
  }
}
