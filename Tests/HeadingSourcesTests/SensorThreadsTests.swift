import Instants
import Testing

@testable import HeadingSources

/// Threads that were stopped, some of which are in a read whose driver hangs.
@Suite struct SensorThreadsTests {
  private static let begin = Instant(microseconds: 1_000_000_000)
  private static let later = begin + .seconds(60)

  @Test func `a thread that was stopped in a read hangs after a second, until the driver answers`() throws {
    var threads = SensorThreads()
    let exchange = try SensorExchange()
    threads.begin(exchange)
    exchange.beginRead(at: Self.begin)
    #expect(threads.current === exchange && !threads.isHanging(at: Self.later))
    threads.stop()
    #expect(threads.current == nil && exchange.isStopping)
    #expect(!threads.isHanging(at: Self.begin + .milliseconds(999)) && threads.isHanging(at: Self.begin + .seconds(1)))
    exchange.end()
    #expect(!threads.isHanging(at: Self.later))
  }

  @Test func `a thread in a read stays known while others start and stop, and is replaced after it`() throws {
    var threads = SensorThreads()
    let exchanges = try (0..<3).map { _ in try SensorExchange() }
    for exchange in exchanges.prefix(2) {
      threads.begin(exchange)
      exchange.beginRead(at: Self.begin)
      if exchange === exchanges[1] { exchange.end() }
      threads.stop()
    }
    #expect(threads.stopped === exchanges[0] && threads.isHanging(at: Self.later))
    exchanges[0].end()
    threads.begin(exchanges[2])
    threads.stop()
    #expect(threads.stopped === exchanges[2] && !threads.isHanging(at: Self.later))
  }

  @Test func `a stop without a thread forgets none`() throws {
    var threads = SensorThreads()
    let exchange = try SensorExchange()
    threads.begin(exchange)
    exchange.beginRead(at: Self.begin)
    threads.stop()
    threads.stop()
    #expect(threads.stopped === exchange && threads.isHanging(at: Self.later))
  }
}
