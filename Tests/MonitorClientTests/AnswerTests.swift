import DBus
import Testing

@testable import MonitorClient

@Suite struct AnswerTests {
  private func answered(_ error: DBusError) -> [Int]? { Result<[Int], DBusError>.failure(error).answered(orRefused: []) }

  @Test func `a value is an answer, and so is a refusal`() {
    #expect(Result<[Int], DBusError>.success([1]).answered(orRefused: []) == [1])
    #expect(answered(.accessDenied("not for you")) == [])
    #expect(answered(DBusError(name: "org.beaconmon.Monitor1.Error.NotAuthorized", message: "no consent")) == [])
    #expect(answered(DBusError(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "an old daemon")) == [])
  }

  @Test func `a daemon that hangs or has gone gives no answer`() {
    #expect(answered(.noReply("it took too long")) == nil)
    #expect(answered(.disconnected("the bus stopped")) == nil)
    #expect(answered(DBusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "nobody is there")) == nil)
  }
}
