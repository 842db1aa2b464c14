import Geotagging
import Testing

@Suite struct PhotoCopiesTests {
  @Test(arguments: [
    ("a.jpg", "a-stamped.jpg"),
    ("holidays/a.b.jpg", "holidays/a.b-stamped.jpg"),
    ("2026.11/a", "2026.11/a-stamped"),
    (".jpg", ".jpg-stamped"),
    ("./.a.jpg", "./.a-stamped.jpg"),
    ("a.", "a-stamped."),
    ("/é.jpég", "/é-stamped.jpég"),
  ])
  func `a copy beside its photo has another name with the same extension`(photo: String, copy: String) {
    #expect(PhotoCopies<Int>(in: nil, of: []).path(ofPhoto: photo) == copy)
  }

  @Test func `a copy in a folder has the name of its photo`() {
    #expect(PhotoCopies<Int>(in: "out", of: []).path(ofPhoto: "holidays/a.jpg") == "out/a.jpg")
    #expect(PhotoCopies<Int>(in: "/", of: []).path(ofPhoto: "a.jpg") == "/a.jpg")
  }

  @Test func `a copy replaces neither a photo nor another copy of the run`() throws {
    var copies = PhotoCopies(in: nil, of: [1, 2])
    #expect(throws: PhotoCopies<Int>.Collision.photo) { try copies.check(2) }
    try copies.check(3)
    try copies.check(nil)
    copies.note(3)
    copies.note(nil)
    #expect(throws: PhotoCopies<Int>.Collision.copy) { try copies.check(3) }
    try copies.check(4)
  }
}
