import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct SignalSourceTests {
  // raise(3) signals only this thread, so parallel tests are not affected.
  @Test func `a signal calls back`() throws {
    let loop = try Loop()
    let source = Holder<SignalSource>()
    let arrived: Bool = try loop.value { done in
      source.value = try loop.signal(SIGUSR1) { done(true) }
      raise(SIGUSR1)
    }
    #expect(arrived)
  }

  @Test func `two signals have separate callbacks`() throws {
    let loop = try Loop()
    var arrived: [Int32] = []
    let sources = try [SIGUSR2, SIGHUP].map { number in try loop.signal(number) { arrived.append(number) } }
    raise(SIGHUP)
    // The signal is pending before the loop polls.
    try loop.run(for: .milliseconds(5))
    raise(SIGUSR2)
    // The signal is pending before the loop polls.
    try loop.run(for: .milliseconds(5))
    #expect(arrived == [SIGHUP, SIGUSR2])
    withExtendedLifetime(sources) {}
  }

  @Test func `an invalid signal number is an error`() throws {
    let loop = try Loop()
    let error = #expect(throws: SystemCallError.self) { try loop.signal(4711) {} }
    #expect(error?.description == "sigaddset signal 4711: Invalid argument (EINVAL)")
  }
}
