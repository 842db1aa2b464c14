import ArgumentParser
import DeliveryScheduling
import EventLoop
import FleetDatabase
import FleetMessages
import FleetRollouts
import FleetStatus
import Glibc
import Instants
import Logging
import MachineFiles
import MonitorConfiguration
import Sodium

struct RolloutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout", abstract: "Give devices a signed drop-in of the configuration, the canaries first.",
    discussion: """
      "key" and "sign" need no hub: run them on a machine that is neither a hub nor a broker, and keep the key there. "start" needs only \
      the signed file. Workers then send it to the canaries, and to the other devices when all canaries have confirmed it and have stayed \
      healthy for the soak. A device verifies the signature itself, and returns to its former configuration if it is not healthy with the \
      new one.

      Example:
        beaconmon-hub admin rollout status
      """, subcommands: [Key.self, Sign.self, Start.self, Status.self, Continue.self, Stop.self])

  struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create the key that signs rollouts, and print the line for the configuration of devices.",
      discussion: """
        With the file, the ranging, regions and venues of all devices can be changed: keep it off the hub and the broker. Devices refuse rollouts of \
        any other key.

        Example:
          beaconmon-hub admin rollout key --out rollout.key
        """)

    @Option(help: ArgumentHelp("The file of the new key, which must not exist.", valueName: "file")) var out: String?
    @Option(help: ArgumentHelp("Print the line of this key instead of creating one.", valueName: "file")) var of: String?

    func validate() throws {
      guard (out == nil) != (of == nil) else { throw ValidationError("use either --out for a new key, or --of for one that exists") }
    }

    func run() throws {
      if let out, access(out, F_OK) == 0 {
        throw ValidationError(
          "\(out) exists; \"--of \(out)\" prints the line of this key, and devices refuse rollouts of any other one. For another key, "
            + "choose another file")
      }
      let key = try of.map { try SigningKey(path: $0) } ?? SigningKey()
      if let out { try LocalFiles.createSecret(Array(key.file.utf8), out) }
      print("[notifier.hub]\nrollout-key = \"\(Base64.text(key.publicKey))\"")
    }
  }

  struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sign a drop-in for sites and devices.",
      discussion: """
        Writes the signed rollout to the standard output. It is not secret: a device takes it only if it is for this device and new. Keys that a \
        rollout must not set are refused here, and by the devices again.

        Example:
          beaconmon-hub admin rollout sign --key rollout.key --to berlin --to paris.hall regions.toml > regions.rollout
        """)

    @Option(help: ArgumentHelp("The file of the key.", valueName: "file")) var key: String
    @Option(
      name: .customLong("to"), help: ArgumentHelp("A site, or a device such as berlin.door. Repeat it for others.", valueName: "name"))
    var audience: [String]
    @Option(
      help: ArgumentHelp("The number, greater than that of each earlier rollout. Defaults to the seconds since 1970.", valueName: "number"))
    var revision: Int64?
    @Option(help: ArgumentHelp("A venue file under a name. Repeat it for others.", valueName: "name=file")) var venue: [String] = []
    @Argument(help: "The drop-in: TOML with ranging, regions and places.") var dropIn: String

    func run() throws {
      do { try sign() } catch let error as RolloutDraftError { throw ValidationError("\(error)") }
    }

    private func sign() throws {
      let draft = try RolloutDraft(
        revision: revision, created: WallClock.now.microseconds / 1000, audience: audience,
        dropIn: try LocalFiles.octets(of: dropIn, limit: Rollout.largestDropIn), named: dropIn, venues: try venue.map(Self.venue))
      let signed = try SigningKey(path: key).signed(draft.rollout)
      // A device checks the same, and the values beside its other files as well.
      try RolledOut.check(signed, name: dropIn)
      let octets = try RolloutDraft.octets(of: signed)
      guard isatty(STDOUT_FILENO) == 0 else {
        throw ValidationError("the output is not text; write it to a file, such as with \"> x.rollout\"")
      }
      do throws(SystemCallError) { try FileDescriptor.write(octets[...], to: STDOUT_FILENO) } catch {
        throw ValidationError("standard output: \(String(cString: strerror(error.code)))")
      }
      let names = draft.rollout.audience.map { "\($0)" }.joined(separator: ", ")
      Logger.hub.notice("signed revision \(draft.rollout.revision) for \(names): \(octets.count) octets")
    }

    private static func venue(_ text: String) throws -> RolloutVenue {
      let (name, file) = try RolloutDraft.venue(text)
      return RolloutVenue(name: name, octets: try LocalFiles.octets(of: file, limit: HubMessage.maximumPayloadSize))
    }
  }

  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start a signed rollout with its canaries.",
      discussion: """
        The workers of the hub do the rest. The start is in the audit log.

        Example:
          beaconmon-hub admin rollout start regions.rollout --canary berlin.door --soak 1h
        """)

    @OptionGroup var database: DatabaseOptions
    @Option(
      help: ArgumentHelp(
        "A device that gets the rollout before the others, such as berlin.door. Repeat it for others.", valueName: "site.device"))
    var canary: [String]
    @Option(help: ArgumentHelp("The time for which the canaries have to stay healthy after the last confirmation.", valueName: "time"))
    var soak = "1h"
    @Argument(help: "The signed rollout.") var file: String

    func run() throws {
      let octets = try LocalFiles.octets(of: file, limit: HubMessage.maximumPayloadSize)
      let request: RolloutRequest
      do { request = try RolloutRequest(octets) } catch {
        throw ValidationError("\(file) is not a signed rollout: \(error); \"beaconmon-hub admin rollout sign\" makes one")
      }
      let canaries = try canary.map(FleetAddress.init(argument:))
      guard let span = Span(text: soak), RolloutProgress.soaks.contains(span) else {
        throw ValidationError("\"\(soak)\" is not a time; write one such as 30m, 1h or 2d, at most 30d")
      }
      let absent = try database.changeRollouts { try $0.start(request, canaries: canaries, soak: span, by: Actor.present) }
      for device in absent {
        Logger.hub.notice("\(device) is not enrolled, and gets the rollout if that changes")
      }
      print("started rollout \(request.rollout.revision): workers send it to \(canary.joined(separator: ", ")) first")
    }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the latest rollouts, the newest first.",
      discussion: """
        Example:
          beaconmon-hub admin rollout status
        """)

    @OptionGroup var database: DatabaseOptions

    func run() throws {
      let rollouts = try RolloutDatabase(try database.connect()).rollouts()
      print(rollouts.isEmpty ? "no rollouts" : rollouts.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n"))
    }
  }

  struct Continue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Continue a rollout that was stopped or has failed, in the phase in which it ended.",
      discussion: """
        The present problems of the canaries count as known. A canary that has refused the revision or rolled it back never takes it again.

        Example:
          beaconmon-hub admin rollout continue
        """)

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The revision. Defaults to the newest rollout that was stopped or has failed.") var revision: Int64?

    func run() throws {
      let progress = try database.changeRollouts { try $0.resume(revision, by: Actor.present) }
      print("rollout \(progress.revision) continues: \(progress.phase.rawValue)")
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop a rollout: no further device gets it.",
      discussion: """
        Devices that have it keep it. To take it back, sign a newer one.

        Example:
          beaconmon-hub admin rollout stop
        """)

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The revision. Defaults to the newest rollout that is in progress.") var revision: Int64?

    func run() throws {
      print("stopped rollout \(try database.changeRollouts { try $0.stop(revision, by: Actor.present) })")
    }
  }
}

extension DatabaseOptions {
  /// Returns the result of a change. The refusal of an argument counts as a wrong command line.
  fileprivate func changeRollouts<Result>(_ body: (RolloutDatabase) throws -> Result) throws -> Result {
    do { return try body(RolloutDatabase(try connect())) } catch let refusal as RolloutRefusal where refusal.isOfArgument {
      throw ValidationError(refusal.description)
    }
  }
}

extension SigningKey {
  /// Reads a key. Refuses a file that others can read.
  fileprivate init(path: String) throws {
    let text = String(decoding: try LocalFiles.secret(of: path, limit: 1024), as: UTF8.self)
    guard let key = try SigningKey(file: text) else {
      throw ValidationError("\(path) is not a key of rollouts; \"beaconmon-hub admin rollout key\" makes one")
    }
    self = key
  }
}
