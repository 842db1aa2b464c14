import Addresses
import Locations
import Testing

/// Answers of servers, which may be hostile.
@Suite struct NominatimAnswerTests {
  private static let city = """
    {"place_id":1,"boundingbox":["48.1","48.2"],"lists":[[1,[2]],{"a":1}],"name":"Neues Rathaus","display_name":"…","address":{"road":"Marienplatz",\
    "house_number":"8","suburb":"Altstadt","city":"München","state":"Bayern","postcode":"80331","country":"Deutschland","country_code":"de"}}
    """

  private func read(_ text: String, _ precision: AddressQuery.Precision = .building) throws(AddressAnswerError) -> PostalAddress? {
    try PostalAddress.read(nominatim: Array(text.utf8), precision: precision)
  }

  @Test func `an answer becomes an address with the parts of a placemark`() throws {
    let address = try #require(try read(Self.city))
    #expect(address.name == "Neues Rathaus" && address.thoroughfare == "Marienplatz" && address.subThoroughfare == "8")
    #expect(address.locality == "München" && address.subLocality == "Altstadt" && address.administrativeArea == "Bayern")
    #expect(address.postalCode == "80331" && address.country == "Deutschland" && address.isoCountryCode == "DE")
    #expect(address.text == "Neues Rathaus, Marienplatz 8, 80331 München, Deutschland")
  }

  @Test func `parts that are more precise than the query are dropped, whatever the server sends`() throws {
    let street = try #require(try read(Self.city, .street))
    #expect(street.text == "Marienplatz, 80331 München, Deutschland" && street.name == nil && street.subThoroughfare == nil)
    let city = try #require(try read(Self.city, .city))
    #expect(city.text == "München, Deutschland" && city.thoroughfare == nil && city.postalCode == nil && city.subLocality == nil)
  }

  @Test func `a number precedes the street where the country writes it so, and a name that is the street is not repeated`() throws {
    let text = """
      {"name":"Main Street","address":{"road":"Main Street","house_number":"12","town":"Springfield","country":"USA","country_code":"us"}}
      """
    #expect(try read(text)?.text == "12 Main Street, Springfield, USA")
  }

  @Test(arguments: [#"{"error":"Unable to geocode"}"#, #"{"address":{}}"#, #"{"address":{"road":""}}"#])
  func `a place without an address is not a failure`(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test(arguments: [
    "", "<html>", "[]", "{", #"{"address":[]}"#, #"{"address":"x"}"#, #"{"name":"x"}"#, #"{"address":{"road":"x"}"#,
    #"{"address":"# + String(repeating: "[", count: 30_000), String(repeating: #"{"a":"#, count: 10_000),
    #"{"x":"# + String(repeating: "[", count: 7) + "[" + String(repeating: "]", count: 8) + #","address":{}}"#,
  ])
  func `an answer that is not an address is an error`(text: String) {
    #expect(throws: AddressAnswerError.self) { try read(text) }
  }

  @Test func `an answer that is too long or not UTF-8 is an error`() {
    let long = #"{"address":{"road":""# + String(repeating: "x", count: PostalAddress.mostOctets) + "\"}}"
    #expect(throws: AddressAnswerError.self) { try read(long) }
    let octets = Array(#"{"address":{"road":""#.utf8) + [0xff] + Array("\"}}".utf8)
    #expect(throws: AddressAnswerError.self) { try PostalAddress.read(nominatim: octets, precision: .building) }
  }

  @Test func `control characters and direction marks are removed from texts, which are cut`() throws {
    let text =
      "{\"address\":{\"road\":\"\\u001b[31m A\\u202eB\\u0007\\n\\tC\\u2066\\ue000\",\"city\":\"\(String(repeating: "ö", count: 5000))\",\"state\":7,\"country_code\":\"deu\"}}"
    let address = try #require(try read(text))
    #expect(address.thoroughfare == "[31m A B C" && address.locality?.count == 120)
    #expect(address.administrativeArea == nil && address.isoCountryCode == nil)
    let marks = "{\"name\":\"e\(String(repeating: "\u{301}", count: 5000))\",\"address\":{\"country\":\"\\u202e\"}}"
    let marked = try read(marks)
    #expect((marked?.name?.utf8.count ?? 0) <= 512 && marked?.country == nil)
  }

  @Test func `joiners of a script are kept`() throws {
    #expect(try read("{\"address\":{\"city\":\"می\u{200C}خواهم\"}}")?.locality == "می\u{200C}خواهم")
  }
}
