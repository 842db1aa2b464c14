import FleetQueries
import Testing

@Suite struct SiteDescriptionTests {
  @Test func `a place is on the earth`() {
    let place = SiteDescription.Place("52.5219,13.4132")
    #expect(place?.latitude == 52.5219 && place?.longitude == 13.4132)
    #expect(SiteDescription.Place("-90,-180") != nil && SiteDescription.Place("90,180") != nil)
    for text in ["", "1", "1,2,3", "90.1,0", "0,180.1", "a,b", "1;2", "nan,0"] { #expect(SiteDescription.Place(text) == nil, "\(text)") }
  }

  @Test func `a title is one short line`() {
    let long = "--title is one line of at most 80 characters; shorten it"
    #expect(SiteDescription(title: String(repeating: "ä", count: 80), place: nil).fault == nil)
    #expect(SiteDescription(title: String(repeating: "a", count: 81), place: nil).fault == long)
    #expect(SiteDescription(title: "a\nb", place: nil).fault == long)
  }

  @Test func `a change has a title or a place`() {
    #expect(SiteDescription(title: nil, place: nil).fault == "nothing to change; use --title or --at")
    #expect(SiteDescription(title: nil, place: SiteDescription.Place("1,2")).fault == nil)
  }
}
