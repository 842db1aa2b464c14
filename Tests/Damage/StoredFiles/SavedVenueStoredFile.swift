import MonitorConfiguration
import VenueEditing
import Venues

/// A venue that a client has saved.
struct SavedVenueStoredFile: StoredFile {
  let name = "saved-venue"
  let fileName = "hall.toml"
  let isDatabase = false

  private func text(_ number: Int) -> String {
    """
    format = 1
    id = "hall"
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    # \(number)
    [[beacon]]
    major = 1
    minor = 1
    position = [\(number), 2]

    """
  }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, String) throws -> Void) throws {
    let store = StoredVenues(folder)
    for (number, form) in Form.allCases.enumerated() {
      let text = text(number * 100 + Int.random(in: 1...99, using: &random))
      try store.replace("hall", with: text)
      try keep(form, text)
    }
  }

  func judge(_ folder: String, untouched: String, truths: [String]) throws -> Verdict {
    var verdict = Verdict()
    let store = StoredVenues(folder)
    let configured = try ConfigurationDocument.parse(text: "", name: "beaconmon.toml")
    let venues = ConfiguredVenues(configured, store)
    let document = venues.completed(configured)
    verdict.expect(document.configuration.venues.count <= 1, "a venue is there twice")
    for warning in document.warnings {
      verdict.expect("\(warning)".hasSuffix("the venue is not in use"), "an unclear warning: \(warning)")
    }
    if store.venues.contains("hall"), document.configuration.venues.isEmpty {
      verdict.expect(venues.venueFiles.contains { $0.note != nil } && !document.warnings.isEmpty, "a lost venue without a reason")
      verdict.reportedLosses += 1
    }
    // A person saves the venue again over what is left of it, unless that is a folder or a link that leads nowhere.
    do throws(VenueEditFailure) {
      _ = try store.text(of: "hall")
      try store.replace("hall", with: truths[0])
      verdict.expect(venues.completed(configured).configuration.venues.map(\.id) == ["hall"], "a venue that was saved again is missing")
    } catch {
      verdict.expect("\(error)".contains("hall.toml: ") && "\(error)".contains("; "), "an unclear refusal: \(error)")
    }
    return verdict
  }
}
