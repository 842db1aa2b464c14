import IndoorPositioning
import Testing

/// The figures over the five walks, with the limits that the product must keep.
@Suite struct GalleryScoreTests {
  @Test func `positions of beacons alone name the nearest beacon in 64 of 100 seconds, at a mean error of 1.75 m`() throws {
    let model = try Gallery.model(isMapped: false)
    let score = GalleryScore(Gallery.walks.map { GalleryRun($0, model) })
    #expect(score.hit >= 0.64, "\(score)")
    #expect(score.medianDistanceError <= 0.9, "\(score)")
    #expect(score.mean <= 1.75 && score.percentile95 <= 3.6, "\(score)")
    #expect(score.coverage >= 0.66 && score.coverage <= 0.78, "\(score)")
    #expect((0.33...0.56).contains(score.deviationCoverage), "\(score.deviationCoverage)")
  }

  @Test func `walkable cells name the nearest beacon in 68 of 100 seconds, at 1.6 m with three false enters in ten minutes`() throws {
    let model = try Gallery.model(isMapped: true)
    let score = GalleryScore(Gallery.walks.map { GalleryRun($0, model) })
    #expect(score.hit >= 0.68, "\(score)")
    #expect(score.medianDistanceError <= 0.75, "\(score)")
    #expect(score.mean <= 1.6 && score.percentile95 <= 3.8, "\(score)")
    #expect(score.zoneF1 >= 0.62 && score.gross <= 0.3, "\(score)")
    #expect(score.coverage >= 0.66 && score.coverage <= 0.78, "\(score)")
    #expect((0.33...0.56).contains(score.deviationCoverage), "\(score.deviationCoverage)")
  }

  @Test func `a survey cuts the mean error to 1.35 m`() throws {
    let model = try Gallery.model(isMapped: true)
    let survey = SurveyMap(Gallery.survey(), model: model)
    let score = GalleryScore(Gallery.walks.map { GalleryRun($0, model, survey: survey) })
    #expect(score.mean <= 1.35 && score.percentile95 <= 2.6, "\(score)")
    #expect(score.coverage >= 0.68 && score.coverage <= 0.86, "\(score)")
  }
}
