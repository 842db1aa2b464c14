import Records
import Testing

@Suite struct CountTests {
  @Test func `a noun is in the singular for one, and in the plural for none and for several`() {
    #expect([0, 1, 2].map { Count.text($0, "region") } == ["0 regions", "1 region", "2 regions"])
    #expect([UInt64(1), 3].map { Count.text($0, "row was", plural: "rows were") } == ["1 row was", "3 rows were"])
  }
}
