public import Records

/// The app or page that goes with a venue, which a visitor is offered on entry.
public struct VenueOffer: Hashable, Sendable {
  /// The app; nil if the venue names none.
  public var app: VenueLaunch?
  /// The https address of a page; nil if the venue names none.
  ///
  /// With an app, the page is for visitors who have not installed it.
  public var page: String?
  /// The title of the offer; without one, it is the name of the venue.
  public var title: LocalizedText
  public var text: LocalizedText

  public init(
    app: VenueLaunch? = nil, page: String? = nil, title: LocalizedText = LocalizedText(), text: LocalizedText = LocalizedText()
  ) {
    self.app = app
    self.page = page
    self.title = title
    self.text = text
  }
}

/// A way to launch an app or a page.
public enum VenueLaunch: Hashable, Sendable {
  /// The app with this desktop file; the id has no `.desktop` at its end.
  case desktopFile(String)
  /// The app with this name on the session bus, and the name of its action; without an action the app is activated.
  case busName(String, action: String?)
  /// The page at this https address.
  case page(String)
}

extension VenueLaunch: CustomStringConvertible {
  /// A text that identifies the launch, for permissions and log lines.
  public var description: String {
    switch self {
    case .desktopFile(let id): "app \(id)"
    case .busName(let name, nil): "bus name \(name)"
    case .busName(let name, let action?): "bus name \(name), action \(action)"
    case .page(let address): "page \(address)"
    }
  }
}

extension VenueLaunch {
  /// Returns whether a text is the id of a desktop file.
  ///
  /// Its characters are safe in a file name and as an argument of a program.
  public static func isDesktopFileID(_ text: String) -> Bool {
    (1...255).contains(text.utf8.count) && isOf(text, letters: "-._") && !"-.".contains(text.prefix(1))
  }

  /// Returns whether a text is a name that an app owns on the bus: two elements or more, none of which begins with a digit.
  public static func isBusName(_ text: String) -> Bool {
    let elements = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 255 && elements.count >= 2
      && elements.allSatisfy { !$0.isEmpty && isOf($0, letters: "-_") && !("0"..."9").contains($0.prefix(1)) }
  }

  /// Returns whether a text is the name of an action of an app.
  public static func isAction(_ text: String) -> Bool { (1...64).contains(text.utf8.count) && isOf(text, letters: "-.") }

  private static func isOf(_ text: some StringProtocol, letters others: String) -> Bool {
    text.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || others.utf8.contains($0)
    }
  }
}

/// The offer of a venue as clients see it, in their language.
public struct OfferReport: RecordRepresentable, Hashable {
  /// The id of the venue.
  public var venue: String?
  /// The name of the venue, or its id.
  public var name: String?
  public var title: String?
  public var text: String?
  /// The id of a desktop file.
  public var app: String?
  public var busName: String?
  public var action: String?
  public var page: String?
  /// Whether the venue was imported, so that the user must allow a launch first.
  public var isImported: Bool?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("venue", \.venue),
    RecordField("name", \.name),
    RecordField("title", \.title),
    RecordField("text", \.text),
    RecordField("app", \.app),
    RecordField("busName", \.busName),
    RecordField("action", \.action),
    RecordField("url", \.page),
    RecordField("imported", \.isImported),
  ]

  /// The ways to launch the offer, the best one first.
  public var launches: [VenueLaunch] {
    [app.map { .desktopFile($0) }, busName.map { .busName($0, action: action) }, page.map { .page($0) }].compactMap(\.self)
  }

  /// A text that identifies the launches.
  ///
  /// It changes with the venue file, so a permission for other launches does not hold.
  public var target: String { launches.map(\.description).joined(separator: "; ") }
}

extension Venue {
  /// Returns the offer in the reader's language; nil if the venue has none.
  public func offer(preferring languages: [String]) -> OfferReport? {
    guard let nearby else { return nil }
    var report = OfferReport()
    (report.venue, report.name) = (id, name(preferring: languages))
    report.title = nearby.title.text(preferring: languages) ?? report.name
    report.text = nearby.text.text(preferring: languages)
    switch nearby.app {
    case .desktopFile(let id): report.app = id
    case .busName(let name, let action): (report.busName, report.action) = (name, action)
    case .page, nil: break
    }
    report.page = nearby.page
    report.isImported = isImported
    return report
  }
}
