import ArgumentParser
import EventLoop
import FleetDatabase
import FleetStatus
import Logging
import PostgreSQL
import StatusReading

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show devices, queues and refused messages.",
    discussion: """
      LAST is the time since the last message, and LAG the time by which it was late by the clock of the device. MISSING counts messages that the \
      device still has although later ones arrived, LOST those that will not arrive. The last lines name a full disk of the database or of the \
      broker. Backlogs and the disk of the broker need --broker, whose nodes are asked in their order until one answers.

      Examples:
        beaconmon-hub status --database "host=db.example dbname=fleet"
        beaconmon-hub status --json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var brokers: BrokerOptions
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let reader = StatusReader(
      StatusReader.Ports(
        connect: { try StatusDatabase(try connect()) }, nodes: { try brokers.areGiven() ? brokers.nodes() : [] },
        certificates: { try brokers.machineCertificates() }, freeSpace: { (try? FileSystemSpace(of: $0))?.freeOctets },
        now: { WallClock.now }, report: { Logger.hub.warning("\($0)") }))
    let status = try reader.status()
    print(json ? status.json : status.table, terminator: "")
  }

  private func connect() throws -> PostgreSQLConnection {
    do { return try database.connect() } catch let error as PostgreSQLError {
      throw SilentServer("\(error)", isOfFullDisk: error.isOfFullDisk)
    }
  }
}
