import ArgumentParser
import FleetDatabase
import MonitorConfiguration
import SitePlans

struct VenueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "venue", abstract: "Store the venue of a site, whose levels and rooms the page then draws.",
    discussion: """
      The file is a venue file of a device, see beaconmon-venue(5), of at most 1 MiB. A room of "beaconmon-hub admin place" is drawn at the \
      place that has the same id or title; upper and lower case do not matter. Pictures of levels are not stored. Without a file, the command \
      prints what is stored, and which rooms have no place.

      Examples:
        beaconmon-hub admin venue berlin gallery.toml
        beaconmon-hub admin venue berlin
        beaconmon-hub admin venue berlin --remove
      """)

  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Delete the stored venue.") var remove = false
  @Argument(help: "The site, such as berlin.") var site: String
  @Argument(help: "The venue file.") var file: String?

  func validate() throws {
    if remove, file != nil { throw ValidationError("--remove deletes the stored venue; leave the file out") }
  }

  func run() throws {
    // A faulty file is refused before the database is asked.
    let document = try file.map(Self.read)
    let venues = try VenueDatabase(try database.connect())
    guard try venues.has(site: site) else { throw unknownSite }
    if remove {
      print(try venues.remove(from: site, by: Actor.present) ? "\(site): the venue is removed" : "\(site): no venue is stored")
    } else if let document {
      let plan = SitePlan(document.venue)
      if let fault = plan.fault { throw ValidationError("\(document.file): \(fault)") }
      for warning in document.warnings { print(warning.warningLine) }
      guard try venues.store(plan.venue, levels: plan.json, at: site, by: Actor.present) else { throw unknownSite }
      print("\(site): stored \(plan.summary)")
      try warn(plan, venues)
    } else if let entry = try venues.venue(of: site) {
      let plan = try SitePlan(venue: entry.venue, levels: entry.levels)
      print("\(site): \(plan.summary), stored at \(entry.time) UTC")
      try warn(plan, venues)
    } else {
      print("\(site): no venue is stored; \"beaconmon-hub admin venue \(site) FILE\" stores one")
    }
  }

  private var unknownSite: ValidationError { ValidationError("there is no site \(site); enrol a device there first") }

  private static func read(_ file: String) throws -> VenueDocument {
    do throws(ConfigurationError) { return try VenueDocument.read(file: file) } catch { throw ValidationError("\(error)") }
  }

  /// Warns of rooms of devices that the plan lacks.
  private func warn(_ plan: SitePlan, _ venues: VenueDatabase) throws {
    for room in plan.missing(try venues.rooms(of: site)) {
      print("warning: no place has the id or the title \"\(room)\", which is the room of a device; add a place to the venue")
    }
  }
}
