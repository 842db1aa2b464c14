/// A receiver of a session's news. Calls come on the session's thread, in order, and must not block it.
protocol SessionEventReader: AnyObject, Sendable {
  func take(_ news: SessionEvent)
}
