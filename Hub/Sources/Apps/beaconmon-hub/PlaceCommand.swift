import ArgumentParser
import FleetDatabase
import FleetMessages
import Rooms

struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place", abstract: "Record in which room a device hangs, so that the hub knows in which room a beacon is.",
    discussion: """
      Without --room and --floor, the device no longer takes part in decisions about rooms.

      Example:
        beaconmon-hub admin place berlin.door --room hall --floor 0
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(help: ArgumentHelp("The room, at most 64 characters. Devices of a site with the same text share a room.", valueName: "name"))
  var room: String?
  @Option(help: ArgumentHelp("The floor: 0 is the ground. Another floor needs more evidence.", valueName: "number")) var floor: Int?
  @Argument(help: ArgumentHelp("The device, such as berlin.door.", valueName: "site.device")) var device: String

  func run() throws {
    let address = try FleetAddress(argument: device)
    if let fault = SiteDevice.fault(ofRoom: room, floor: floor) { throw ValidationError(fault) }
    guard try EnrolmentDatabase(try database.connect()).place(address, room: room, floor: floor, by: Actor.present) else {
      throw ValidationError("\(device) is not enrolled; run \"beaconmon-hub admin enrol\" first")
    }
    print("\(device): \(room.map { "room \"\($0)\"" } ?? "no room")\(floor.map { ", floor \($0)" } ?? "")")
  }
}
