import ArgumentParser
import BrokerDefinitions
import Commands
import FleetDatabase
import FleetMessages
import Instants

struct Admin: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Enrol and revoke devices, make certificates, roll configuration out, add people, set how long data is kept, and export and "
      + "erase identities.",
    discussion: """
      Keep the folder of the authority off the machines of the broker and of the workers: its key can enrol any device.

      Example:
        beaconmon-hub admin enrol --authority ca --rabbitmqctl "ssh broker1.example sudo rabbitmqctl" berlin.door
      """,
    subcommands: [
      AuthorityCommand.self, IssueCommand.self, EnrolCommand.self, PlaceCommand.self, SurveyCommand.self, RevokeCommand.self,
      UsersCommand.self,
      PersonCommand.self, SiteCommand.self, VenueCommand.self, RetentionCommand.self, ExportCommand.self,
      EraseCommand.self, AuditCommand.self, AlertAdmin.self, RolloutCommand.self,
    ])
}

struct AuthorityOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of the authority, with ca.key.", valueName: "folder")) var authority: String

  func existing() throws -> CertificateAuthority {
    let authority = CertificateAuthority(folder: authority)
    guard authority.has("ca") else {
      throw ValidationError("\(self.authority)/ca.crt does not exist; run \"beaconmon-hub admin authority\" first")
    }
    return authority
  }
}

struct AuthorityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authority", abstract: "Create the certificate authority of a fleet.",
    discussion: """
      Example:
        beaconmon-hub admin authority --authority ca
      """)

  @OptionGroup var options: AuthorityOptions

  func run() throws {
    let authority = CertificateAuthority(folder: options.authority)
    guard !authority.has("ca") else {
      throw ValidationError("\(options.authority)/ca.crt exists; every device trusts it, so it is not replaced")
    }
    try authority.create()
    print("made \(authority.path("ca", "crt")); keep \(authority.path("ca", "key")) secret")
  }
}

struct IssueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue", abstract: "Create the certificate of the workers, or that of a node of the broker.",
    discussion: """
      Examples:
        beaconmon-hub admin issue --authority ca
        beaconmon-hub admin issue --authority ca --host broker1.example --host broker.example
      """)

  @OptionGroup var options: AuthorityOptions
  @Option(
    help: ArgumentHelp(
      "The host name of a node of the broker. Repeat it for each further name, such as one that all nodes share; the files have the first one. "
        + "Without it, the certificate is that of the workers, hub.crt.", valueName: "host"))
  var host: [String] = []

  func run() throws {
    let name = host.first ?? "hub"
    let authority = try options.existing()
    if let fault = host.lazy.compactMap(NodeName.fault(of:)).first ?? host.first.flatMap(NodeName.fault(ofFiles:)) {
      throw ValidationError(fault)
    }
    try authority.issue(name, for: host.isEmpty ? .client : .node(host)).install()
    print("made \(authority.path(name, "crt")) and \(authority.path(name, "key"))")
  }
}

struct EnrolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol", abstract: "Enrol devices, and create their certificates.",
    discussion: """
      A device that is enrolled gets a new certificate, and its earlier ones stay valid until they expire. A name that was revoked or erased \
      may be enrolled again: the certificates of its earlier enrolments are refused. Numberings and history of the device stay.

      Examples:
        beaconmon-hub admin enrol --authority ca --rabbitmqctl "ssh broker1.example sudo rabbitmqctl" berlin.door berlin.hall
        beaconmon-hub admin enrol --authority ca --request door.csr berlin.door
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var options: AuthorityOptions
  @OptionGroup var control: ControlOptions
  @Option(help: ArgumentHelp("A request for a certificate by the one device, whose key stays there.", valueName: "file")) var request:
    String?
  @Option(
    help: ArgumentHelp(
      "The day on which the devices start to send, such as 2026-12-24. Before it, a device that never sent opens no alert. Defaults to today.",
      valueName: "date"))
  var expected: String?
  @Argument(help: ArgumentHelp("The devices, such as berlin.door.", valueName: "site.device")) var devices: [String]

  func run() throws {
    let addresses = try devices.map(FleetAddress.init(argument:))
    guard request == nil || addresses.count == 1 else { throw ValidationError("--request is for one device; enrol the others without it") }
    let authority = try options.existing()
    let enrolments = try EnrolmentDatabase(try database.connect())
    let day = try expected.map { text in
      guard let day = Instant(rfc3339: "\(text)T00:00:00Z") else {
        throw ValidationError("\"\(text)\" is not a date; write one such as 2026-12-24")
      }
      return day
    }
    var enrolled = 0
    do {
      for address in addresses {
        try enrol(address, authority, enrolments, expected: day)
        enrolled += 1
      }
    } catch {
      // The broker gets the users of the devices before the one that failed.
      if enrolled > 0 { try control.finish("enrolled", enrolments) }
      throw error
    }
    try control.finish("enrolled", enrolments)
  }

  private func enrol(
    _ address: FleetAddress, _ authority: CertificateAuthority, _ enrolments: EnrolmentDatabase, expected day: Instant?
  ) throws {
    let name = address.commonName
    let login = try enrolments.login(of: address)
    if let fault = login.certificateFault { throw ValidationError(fault) }
    let certificate =
      try request.map { try authority.sign(request: $0, name, commonName: login.name) } ?? authority.issue(name, commonName: login.name)
    try certificate.install {
      try enrolments.enrol(
        login, fingerprint: certificate.fingerprint, days: CertificateAuthority.days, expected: day, by: Actor.present)
    }
    print("enrolled \(name) in partition \(address.partition): \(authority.path(name, "crt"))")
  }
}

struct RevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke devices or whole sites.",
    discussion: """
      The workers refuse their messages at once. With --rabbitmqctl, the broker ends their connections and refuses new ones.

      Examples:
        beaconmon-hub admin revoke --rabbitmqctl "ssh broker1.example sudo rabbitmqctl" berlin.door
        beaconmon-hub admin revoke berlin
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var control: ControlOptions
  @Argument(help: ArgumentHelp("The devices or sites, such as berlin.door or berlin.", valueName: "name")) var names: [String]

  func run() throws {
    let targets = try names.map { name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count <= 2, parts.allSatisfy(FleetAddress.isName) else {
        throw ValidationError("\"\(name)\" is neither a site nor a device; write SITE or SITE.DEVICE, such as berlin or berlin.door")
      }
      return (name: name, site: parts[0], device: parts.dropFirst().first)
    }
    let enrolments = try EnrolmentDatabase(try database.connect())
    var unknown: [String] = []
    for target in targets {
      let revoked = try enrolments.revoke(site: target.site, device: target.device, by: Actor.present)
      for address in revoked { print("revoked \(address.commonName)") }
      if revoked.isEmpty {
        if try enrolments.has(site: target.site, device: target.device) {
          print("\(target.name) is revoked already")
        } else {
          unknown.append(target.name)
        }
      }
    }
    if unknown.count < targets.count { try control.finish("revoked", enrolments) }
    guard unknown.isEmpty else {
      throw ValidationError(
        "no device is enrolled as \(unknown.joined(separator: ", ")), so that nothing is revoked there; "
          + "\"beaconmon-hub status\" prints the devices")
    }
  }
}

struct UsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Bring queues and users of the broker in line with the enrolled devices.",
    discussion: """
      Without --rabbitmqctl it prints queues and users in the format of "rabbitmqctl import_definitions", which removes none.

      Examples:
        beaconmon-hub admin users --rabbitmqctl "ssh broker1.example sudo rabbitmqctl"
        beaconmon-hub admin users --broker-version 4 > definitions.json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var control: ControlOptions
  @Option(help: ArgumentHelp("The first number of the version of RabbitMQ that imports the printed definitions.", valueName: "number"))
  var brokerVersion = 3

  func run() throws {
    let enrolments = try EnrolmentDatabase(try database.connect())
    if control.rabbitmqctl == nil {
      let definitions = BrokerDefinitions(
        map: try enrolments.queues(), devices: try enrolments.logins(), hubHash: try brokerPassword().hash(), majorVersion: brokerVersion)
      print(definitions.json, terminator: "")
    }
    try control.synchronise(enrolments)
  }
}
