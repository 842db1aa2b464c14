import Retention
import Testing

@Suite struct RetentionKindTests {
  @Test(arguments: [("1h", 1), ("24h", 24), ("30d", 720), ("60m", 1), ("3660d", 87_840), ("0.5d", 12)])
  func `a time of whole hours is a retention`(text: String, hours: Int) {
    #expect(RetentionKind.hours(of: text) == hours)
  }

  @Test(arguments: ["0h", "30m", "1.5h", "3661d", "24", "day", ""])
  func `another time is not a retention`(text: String) {
    #expect(RetentionKind.hours(of: text) == nil)
  }

  @Test func `an erased identity may be stored again at once`() {
    #expect(RetentionKind.hours(of: "0h", in: StoredIdentity.suppressions) == 0)
    #expect(RetentionKind.hours(of: "3660d", in: StoredIdentity.suppressions) == 87_840)
    #expect(RetentionKind.hours(of: "87841h", in: StoredIdentity.suppressions) == nil)
  }
}
