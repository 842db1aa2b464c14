import EventLoop
import FleetDatabase
import Glibc
import PostgreSQL
import RetentionJobs

/// The thread of a worker that removes what has expired. It ends with the process.
enum RetentionThread {
  /// - Parameter parameters: a connection string of libpq
  static func start(_ parameters: String) throws {
    try LoopThread.start(named: "beaconmon-keep") {
      let job = RetentionJob {
        try RetentionDatabase(try PostgreSQLConnection(parameters, limit: RetentionDatabase.limit))
      } wallTime: {
        MachineClock().wallTime
      } report: {
        log($0)
      }
      job.run(until: { false }, pause: { _ = poll(nil, 0, Int32($0)) })
    }
  }
}
