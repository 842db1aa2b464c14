import IndoorPositioning
import Testing
import Venues

@Suite struct SurveyMapTests {
  @Test func `a survey of no places equals a weaker prior, and positions remain`() throws {
    let model = try Gallery.model(isMapped: true)
    let score = GalleryScore(Gallery.walks.prefix(2).map { GalleryRun($0, model, survey: SurveyMap([], model: model)) })
    #expect(score.mean < 2.2, "\(score)")
  }

  /// The limits are the reference's figures for other places, with the noise of subsets.
  @Test(arguments: [(10, 1.53, 1.86), (20, 1.36, 1.68), (50, 1.36, 1.62)])
  func `a survey of some places already reduces the error`(count: Int, straight: Double, rectangular: Double) throws {
    let model = try Gallery.model(isMapped: true)
    let places = Array(Set(Gallery.survey().map(\.point))).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    let few = Set((0..<count).map { places[$0 * places.count / count] })
    let survey = SurveyMap(Gallery.survey().filter { few.contains($0.point) }, model: model)
    let runs = Gallery.walks.map { GalleryRun($0, model, survey: survey, hasZones: false) }
    for (isStraight, limit) in [(true, straight), (false, rectangular)] {
      let score = GalleryScore(runs.filter { $0.walk.isStraight == isStraight })
      #expect(score.mean < limit + 0.3, "straight: \(isStraight), \(score)")
    }
  }

  @Test func `readings that are not valid are ignored`() throws {
    let model = try Gallery.model(isMapped: true)
    var bad = Gallery.survey().prefix(3)
    bad[0].transmitter = 99
    bad[1].rssi = .nan
    bad[2].level = 7
    #expect(SurveyMap(Array(bad), model: model) == SurveyMap([], model: model))
  }
}
