import ArgumentParser
import FleetDatabase
import FleetMessages
import FleetPage
import FleetQueries
import PageDatabase
import Sodium
import People

struct PersonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "person", abstract: "Add and remove people, and grant roles at sites.",
    discussion: """
      A viewer reads a site, an operator also names its tags, and an owner also grants roles there. An administrator is an owner of every site.
      Each change is in the audit log, which "beaconmon-hub admin audit" prints.

      Example:
        beaconmon-hub admin person grant ada berlin viewer
      """,
    subcommands: [Add.self, Remove.self, List.self, Password.self, Grant.self, Revoke.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a person.",
      discussion: """
        The password is read from the terminal, or from the first line of the standard input.

        Examples:
          beaconmon-hub admin person add ada
          beaconmon-hub admin person add root --administrator
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var person: PersonArgument
    @Flag(help: "Make the person an owner of every site.") var administrator = false
    @Flag(help: "Set no password: the person signs in through a proxy alone.") var noPassword = false

    func run() throws {
      let name = try person.name()
      let people = try database.people()
      let hash = noPassword ? nil : try NewPasswordInput.hash(for: name)
      guard try people.add(name, password: hash, isAdministrator: administrator, by: Actor.present) else {
        throw ValidationError("\(name) exists; \"beaconmon-hub admin person password\" sets a new password")
      }
      print("added \(name)")
      if !administrator { print("grant a role next: beaconmon-hub admin person grant \(name) SITE viewer") }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a person, and end the sessions at once.",
      discussion: """
        Example:
          beaconmon-hub admin person remove ada
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var person: PersonArgument

    func run() throws {
      guard try database.people().remove(person.person, by: Actor.present) else { throw person.unknown }
      print("removed \(person.person)")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the people and their roles.",
      discussion: """
        Example:
          beaconmon-hub admin person list
        """)

    @OptionGroup var database: DatabaseOptions

    func run() throws {
      for entry in try database.people().people() {
        let rights = entry.isAdministrator ? "administrator" : entry.roles.isEmpty ? "no role" : entry.roles
        print("\(entry.name)  \(rights)\(entry.hasPassword ? "" : "  (no password: signs in through a proxy)")")
      }
    }
  }

  struct Password: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the password of a person, and end the sessions.",
      discussion: """
        The password is read from the terminal, or from the first line of the standard input.

        Example:
          beaconmon-hub admin person password ada
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var person: PersonArgument
    @Flag(help: "Remove the password: the person signs in through a proxy alone.") var remove = false

    func run() throws {
      let people = try database.people()
      let hash = remove ? nil : try NewPasswordInput.hash(for: person.person)
      guard try people.set(password: hash, of: person.person, by: Actor.present) else { throw person.unknown }
      print(remove ? "removed the password of \(person.person)" : "set the password of \(person.person)")
    }
  }

  struct Grant: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a person a role at a site, in place of another one.",
      discussion: """
        Example:
          beaconmon-hub admin person grant ada berlin operator
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var person: PersonArgument
    @Argument(help: "The site.") var site: String
    @Argument(help: "The role: \(SiteRole.allCases.map(\.rawValue).joined(separator: ", ")).") var role: String

    func run() throws {
      guard let role = SiteRole(rawValue: role) else {
        throw ValidationError("\"\(self.role)\" is not a role; the roles are \(SiteRole.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      try database.people().change(role, of: person, at: site)
      print("\(person.person) is \(role.rawValue) at \(site)")
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke the role of a person at a site. Open pages lose it within seconds.",
      discussion: """
        Example:
          beaconmon-hub admin person revoke ada berlin
        """)

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var person: PersonArgument
    @Argument(help: "The site.") var site: String

    func run() throws {
      try database.people().change(nil, of: person, at: site)
      print("\(person.person) has no role at \(site)")
    }
  }
}

struct PersonArgument: ParsableArguments {
  @Argument(help: "The name of the person, as the proxy states it or as the person writes it.") var person: String

  var unknown: ValidationError { ValidationError("there is no person \(person); \"beaconmon-hub admin person list\" prints them") }

  /// Returns the name of a new person.
  func name() throws -> String {
    if let fault = PersonName.fault(of: person) { throw ValidationError("\"\(person)\": \(fault)") }
    return person
  }
}

struct SiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "site", abstract: "Give a site a title, and a place on the map of the page.",
    discussion: """
      Example:
        beaconmon-hub admin site berlin --title "Berlin, Alexanderplatz" --at 52.5219,13.4132
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(help: "The title, such as \"Berlin, Alexanderplatz\".") var title: String?
  @Option(
    help: ArgumentHelp("The latitude and the longitude in degrees, such as 52.5219,13.4132.", valueName: "lat,lon"),
    transform: Self.place)
  var at: SiteDescription.Place?
  @Argument(help: "The site.") var site: String

  private static func place(_ text: String) throws -> SiteDescription.Place {
    guard let place = SiteDescription.Place(text) else {
      throw ValidationError("\"\(text)\" is not a place; write LATITUDE,LONGITUDE in degrees, such as 52.5219,13.4132")
    }
    return place
  }

  func run() throws {
    let description = SiteDescription(title: title, place: at)
    if let fault = description.fault { throw ValidationError(fault) }
    guard try database.people().describe(site: site, description, by: Actor.present) else {
      throw ValidationError("there is no site \(site); enrol a device there first")
    }
    print("changed \(site)")
  }
}

extension DatabaseOptions {
  fileprivate func people() throws -> PeopleDatabase {
    let connection = try connect()
    try FleetSchema(connection).check()
    return PeopleDatabase(connection)
  }
}

extension PeopleDatabase {
  fileprivate func change(_ role: SiteRole?, of person: PersonArgument, at site: String) throws {
    guard let key = try self.site(named: site) else { throw ValidationError("there is no site \(site); enrol a device there first") }
    switch try grant(role, to: person.person, site: key, by: .machine(Actor.present)) {
    case .done: return
    case .administrator:
      throw ValidationError(
        """
        \(person.person) is an administrator, and so an owner of every site whatever the roles are; "beaconmon-hub admin person remove" and \
        "add" without --administrator make an ordinary person
        """)
    case .notFound, .denied, .tooMany: throw person.unknown
    }
  }
}
