import Scheduling
import Testing

@Suite struct StaleAnswerFilterTests {
  @Test func `an answer to a request from before the last change is dropped, and later ones arrive`() {
    let answers = StaleAnswerFilter()
    var taken: [Int] = []
    let first = answers.current { (answer: Int) in taken.append(answer) }
    first(1)
    answers.renew()
    first(2)
    answers.current { (answer: Int) in taken.append(answer) }(3)
    #expect(taken == [1, 3])
  }

  @Test func `an answer after the release of its receiver is dropped`() {
    var answers: StaleAnswerFilter? = StaleAnswerFilter()
    var count = 0
    let completion = answers?.current { (_: Int) in count += 1 }
    answers = nil
    completion?(1)
    #expect(count == 0)
  }
}
