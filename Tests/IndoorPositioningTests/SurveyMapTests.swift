import IndoorPositioning
import Testing
import Venues

@Suite struct SurveyMapTests {
  @Test func `a survey of no places equals a weaker prior, and positions remain`() throws {
    let model = try Gallery.model(isMapped: true)
    let score = GalleryScore(Gallery.walks.prefix(2).map { GalleryRun($0, model, survey: SurveyMap([], model: model)) })
    #expect(score.mean < 2.2, "\(score)")
  }

  @Test func `a fifth of the survey already helps`() throws {
    let model = try Gallery.model(isMapped: true)
    let places = Array(Set(Gallery.survey().map(\.point))).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    let few = Set(places.indices.filter { $0 % 4 == 0 }.map { places[$0] })
    let survey = SurveyMap(Gallery.survey().filter { few.contains($0.point) }, model: model)
    let score = GalleryScore(Gallery.walks.filter(\.isStraight).map { GalleryRun($0, model, survey: survey) })
    #expect(score.mean < 1.36 + 0.15, "\(score)")
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
