import ConfigurationTree
import Venues

// The app or page that goes with a venue.

extension VenueReader {
  /// Reads the table `[nearby]`.
  static func nearby(_ table: consuming TableReader) -> VenueOffer? {
    let app = table.read("app", as: .desktopFileID)
    let busName = table.read("bus-name", as: .busName)
    let action = table.read("action", as: .actionName)
    let page = table.read("url", as: .link)
    let title = table.read("title", as: .title)
    let text = table.read("text", as: .paragraphs)
    if table.has("app"), table.has("bus-name") {
      table.report("bus-name", "is for an app without a desktop file; remove bus-name or app")
    }
    if table.has("action"), !table.has("bus-name") {
      table.report("action", "requires bus-name, which names the app that has the action")
    }
    if !["app", "bus-name", "url"].contains(where: table.has) {
      table.report(nil, "missing key \"url\"; name an app, a bus-name or a url")
    }
    if let app { table.refer("app", to: .application(app)) }
    if let busName { table.refer("bus-name", to: .busService(busName)) }
    table.finish()
    return VenueOffer(
      app: app.map { .desktopFile($0) } ?? busName.map { .busName($0, action: action) }, page: page, title: title ?? LocalizedText(),
      text: text ?? LocalizedText())
  }
}

extension ValueDecoder where Value == String {
  /// The id of a desktop file, without `.desktop` at its end.
  fileprivate static var desktopFileID: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let example = "org.example.Guide.desktop"
      let text = try ValueDecoder.text(example: example).decode(node)
      let id = text.hasSuffix(".desktop") ? String(text.dropLast(8)) : text
      guard VenueLaunch.isDesktopFileID(id) else {
        throw DecodingIssue("\(text.quoted) is not the name of a desktop file; write one such as \"\(example)\", without a folder")
      }
      return id
    }
  }

  /// A name on the session bus that an app owns.
  fileprivate static var busName: ValueDecoder { checked("app on the bus", example: "org.example.Guide", VenueLaunch.isBusName) }

  /// The name of an action of an app.
  fileprivate static var actionName: ValueDecoder { checked("action", example: "open-venue", VenueLaunch.isAction) }

  private static func checked(_ thing: String, example: String, _ isName: @escaping @Sendable (String) -> Bool) -> ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      guard isName(text) else { throw DecodingIssue("\(text.quoted) is not the name of an \(thing); write one such as \"\(example)\"") }
      return text
    }
  }

  /// An https address.
  fileprivate static var link: ValueDecoder {
    ValueDecoder { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "https://example.org/gallery").decode(node)
      try checkLink(text)
      return text
    }
  }
}
