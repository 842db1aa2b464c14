import ClientCommands
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorProtocol
import RouteReports
import Terminal

/// Follows guidance through the daemon, across its restarts, until the destination.
final class GuideFollowing {
  private let link: CommandLink
  private var options: GuidanceOptions
  /// The name of the person to follow; nil for a place.
  private let person: String?
  private var follower: PersonFollower?
  private let output: GuideOutput
  private let speaker: Speaker?
  private var stream: RemoteStream?
  private let watch: GuidanceWatch

  init(_ link: CommandLink, _ options: GuidanceOptions, toPerson person: String?, _ output: GuideOutput, _ speaker: Speaker?) {
    (self.link, self.options, self.person, self.output, self.speaker) = (link, options, person, output, speaker)
    watch = GuidanceWatch(link.loop)
    watch.onEnd = { [unowned self] in end($0) }
    speaker?.onFailure = { output.note($0) }
  }

  func run() throws(Failure) {
    try output.follow(link) { [output] in output.picture.forgetDirection() }
    try link.run { [unowned self] client in
      guard let person else { return guide(client) }
      follower = PersonFollower(SharedPositions(client.sharing), person) { [unowned self] in take($0, client) }
    }
    (stream, follower) = (nil, nil)
  }

  private func take(_ change: PersonFollower.Change, _ client: MonitorClient) {
    switch change {
    case .moved(let place):
      options.destination = GuidanceOptions.Place(place)
      guide(client)
    case .resumed: output.note(nil)
    case .waiting(let reason):
      link.settle()
      output.note(reason)
    case .ended(let reason):
      link.settle()
      stream = nil
      take(.ended(reason: "shareEnded", message: reason))
    case .failed(let failure): link.end(failure)
    }
  }

  /// Begins guidance, in place of the one before.
  private func guide(_ client: MonitorClient) {
    stream = nil
    output.picture.note = nil
    stream = client.guide(options) { [link] error in
      link.end(Failure(guiding: error))
    } handler: { [unowned self] event in
      link.settle()
      take(event)
      output.paint()
      if output.isClosed { link.end() }
    }
  }

  private func take(_ event: RemoteGuidanceEvent) {
    guard !watch.isOver else { return }
    switch event {
    case .updated(let report):
      if report.state == .underWay { watch.noteRoute() }
      output.show(report)
    case .routed(let route): output.show(route)
    case .instruction(let instruction):
      output.show(instruction)
      if let text = instruction.text {
        speaker?.speak(text, language: instruction.language, isReassurance: [.progress, .passing].contains(instruction.kind))
      }
    case .failed(let error):
      output.show(error)
      watch.noteFailure(Failure(guiding: error), isLackOfRoute: error.monitorError == .noRoute)
    case .ended(let reason, let message):
      output.show(end: reason, message)
      watch.noteEnd(reason, message)
    }
  }

  private func end(_ failure: Failure?) {
    output.paintLast()
    guard let speaker else { return link.end(failure) }
    speaker.whenSilent { [link] in link.end(failure) }
  }
}

extension Failure {
  /// Reports that the daemon refuses guidance.
  fileprivate init(guiding error: DBusError) {
    switch error.monitorError {
    case .noSuchPlace, .noSuchLevel, .noSuchVenue, .ambiguousPlace, .invalidOptions: self.init(.usage, error.message)
    case .noRoute: self.init(.dataError, error.message)
    default: self.init(refusal: error)
    }
  }
}
