import MonitorConfiguration
import Records
import WebPage

/// The texts of venue files for the editor of the page.
struct VenueDrawer: VenueDrawings {
  func drawing(of text: String) throws(PageRefusal) -> String {
    do throws(VenueEditError) { return try VenueDrawing(text).json } catch { throw PageRefusal(error) }
  }

  func apply(_ edits: [Record], to text: String) throws(PageRefusal) -> String {
    do throws(VenueEditError) {
      var changes: [VenueEdit] = []
      for edit in edits { changes.append(try VenueEdit(edit)) }
      return try VenueEdit.apply(changes, to: text)
    } catch { throw PageRefusal(error) }
  }
}

extension PageRefusal {
  fileprivate init(_ error: VenueEditError) {
    self.init(422, "invalid", "\(error)")
    problems = ["\(error)"]
  }
}
