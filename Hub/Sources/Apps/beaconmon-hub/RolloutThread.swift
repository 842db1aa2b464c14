import EventLoop
import FleetDatabase
import Glibc
import PostgreSQL
import RolloutJobs

/// The thread of a worker that advances rollouts. It ends with the process.
enum RolloutThread {
  /// - Parameter parameters: a connection string of libpq
  static func start(_ parameters: String) throws {
    try LoopThread.start(named: "beaconmon-roll") {
      let job = RolloutJob {
        try RolloutDatabase(try PostgreSQLConnection(parameters))
      } report: {
        log($0)
      }
      job.run(until: { false }, pause: { _ = poll(nil, 0, Int32($0)) })
    }
  }
}
