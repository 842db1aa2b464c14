/// Somebody who wants to know what a session has to say. Told on the session's thread, in order; must not wait there.
protocol NewsReader: AnyObject, Sendable {
  func take(_ news: News)
}
