import EventLoop
import Instants
import Testing

@Suite struct ReadPacingTests {
  private static func after(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000_000) + .milliseconds(milliseconds) }

  @Test func `sparse traffic is read as it arrives`() {
    var pacing = ReadPacing()
    for time in stride(from: 0, to: 400, by: 20) as StrideTo<Int64> {
      #expect(pacing.next(afterReading: 1, isCut: false, at: Self.after(time)) == .whenReadable)
    }
  }

  @Test func `dense traffic is gathered for twenty milliseconds at a time`() {
    var pacing = ReadPacing()
    #expect(pacing.next(afterReading: 1, isCut: false, at: Self.after(0)) == .whenReadable)
    #expect(pacing.next(afterReading: 1, isCut: false, at: Self.after(1)) == .at(Self.after(21)))
    #expect(pacing.next(afterReading: 10, isCut: false, at: Self.after(21)) == .at(Self.after(41)))
    #expect(pacing.next(afterReading: 2, isCut: false, at: Self.after(41)) == .at(Self.after(61)))
    #expect(pacing.next(afterReading: 1, isCut: false, at: Self.after(61)) == .whenReadable)
  }

  @Test(arguments: [0, 1])
  func `an empty socket is not polled`(first: Int) {
    var pacing = ReadPacing()
    _ = pacing.next(afterReading: first, isCut: false, at: Self.after(0))
    #expect(pacing.next(afterReading: 0, isCut: false, at: Self.after(1)) == .whenReadable)
  }

  @Test func `wake-ups that bring many packets are not delayed`() {
    var pacing = ReadPacing()
    for time in 0..<9 as Range<Int64> {
      #expect(pacing.next(afterReading: 16, isCut: false, at: Self.after(time)) == .whenReadable)
    }
  }

  @Test func `a socket with remaining packets is read again at once`() {
    var pacing = ReadPacing()
    for time in [0, 1, 2] as [Int64] {
      #expect(pacing.next(afterReading: 256, isCut: true, at: Self.after(time)) == .whenReadable)
    }
  }

  @Test func `a wait in which many packets gather becomes shorter, and longer again when they become fewer`() {
    var pacing = ReadPacing()
    _ = pacing.next(afterReading: 1, isCut: false, at: Self.after(0))
    var (now, waits) = (Self.after(1), [] as [Int64])
    for count in [1, 256, 200, 100, 20, 20, 2] {
      guard case .at(let next) = pacing.next(afterReading: count, isCut: false, at: now) else { return #expect(Bool(false), "no wait") }
      waits.append((next - now).microseconds / 1000)
      now = next
    }
    #expect(waits == [20, 10, 5, 5, 10, 20, 20])
  }

  @Test func `the wait of a flood is half a millisecond, and the first one after it twenty`() {
    var pacing = ReadPacing()
    _ = pacing.next(afterReading: 1, isCut: false, at: Self.after(0))
    for time in 1..<9 as Range<Int64> { _ = pacing.next(afterReading: 256, isCut: true, at: Self.after(time)) }
    #expect(pacing.next(afterReading: 4, isCut: false, at: Self.after(9)) == .at(Self.after(9) + Span(microseconds: 500)))
    _ = pacing.next(afterReading: 1, isCut: false, at: Self.after(100))
    #expect(pacing.next(afterReading: 1, isCut: false, at: Self.after(101)) == .at(Self.after(121)))
  }
}
