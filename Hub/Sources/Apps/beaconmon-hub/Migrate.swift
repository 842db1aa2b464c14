import ArgumentParser
import FleetDatabase
import Partitions

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create the tables of the hub, or change them to those of another version.",
    discussion: """
      Each step is one transaction, which changes nothing if it fails. Stop the workers first. A step back to an older version that would \
      delete data needs --discard.

      Examples:
        beaconmon-hub migrate --database "host=db.example dbname=fleet user=hub sslmode=verify-full"
        beaconmon-hub migrate --to 16
        beaconmon-hub migrate --check
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The version of the schema, such as that of an older program. Defaults to the newest.", valueName: "version"))
  var to: Int?

  @Option(
    help: ArgumentHelp("The number of queues of a new fleet, 1 to 64. It cannot be changed later. Defaults to 8.", valueName: "count"))
  var queues: Int?

  @Flag(help: "Delete the data for which the older version has no place. Without it, --to changes nothing if there is some.")
  var discard = false

  @Flag(help: "Change nothing, and fail unless the schema is that of this program.") var check = false

  func run() throws {
    guard !check else { return try runCheck() }
    if let to, !(0...Migration.all.count).contains(to) {
      throw ValidationError("there is no schema \(to); the newest one is \(Migration.all.count)")
    }
    if let queues, QueueMap(queues: queues) == nil { throw ValidationError("a fleet has 1 to 64 queues, not \(queues)") }
    let schema = FleetSchema(try database.connectPatiently())
    let target = to ?? Migration.all.count
    for step in try schema.migrate(to: target, discarding: discard) { print("applied: \(step)") }
    guard target > 0 else { return print("schema 0: no tables") }
    print("schema \(try schema.version()), \(try schema.queues(creating: queues).queues) queues")
  }

  private func runCheck() throws {
    guard to == nil, queues == nil, !discard else {
      throw ValidationError("--check changes nothing; leave out --to, --queues and --discard")
    }
    let schema = FleetSchema(try database.connect())
    try schema.check()
    print("schema \(try schema.version()), that of this program")
  }
}
