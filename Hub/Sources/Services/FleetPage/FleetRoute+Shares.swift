import Beacons
import FleetMessages
import FleetQueries
import People
import Records
import WebPage

extension FleetRoute {
  /// The routes of shares. Those of a share also need that the person owns it or is among its recipients.
  static let shares: [FleetRoute] = [
    FleetRoute(
      path: "/api/shares", right: .ownSites,
      action: .read(list: "shares") { (parameters, scope) throws(PageRefusal) in .shares(sites: scope.sites, person: parameters.person) }),
    FleetRoute(
      path: "/api/share-log", right: .site(.owner),
      action: .read(list: "changes") { (parameters, scope) throws(PageRefusal) in .shareLog(site: try scope.site, try parameters.numbers())
      }),
    FleetRoute(
      path: "/api/tag/owner", right: .site(.owner),
      action: .change { (record, scope) throws(PageRefusal) in
        let person = try record.text("person", "an empty text ends the ownership")
        guard person.isEmpty || PersonName.fault(of: person) == nil else {
          throw PageRefusal(422, "person", "name a person in \"person\"")
        }
        return .giveTag(site: try scope.site, try record.tag(), person: person.isEmpty ? nil : person)
      }),
    FleetRoute(
      path: "/api/share", right: .site(.viewer),
      action: .change { (record, scope) throws(PageRefusal) in
        .shareTag(site: try scope.site, try record.tag(), try TagShare(record))
      }),
    FleetRoute(
      path: "/api/share/answer", right: .site(.viewer),
      action: .change { (record, scope) throws(PageRefusal) in
        guard case .flag(let isAccepted)? = record["accepted"] else {
          throw PageRefusal(422, "accepted", "write true or false into \"accepted\"")
        }
        return .answerShare(site: try scope.site, try record.share(), isAccepted: isAccepted)
      }),
    FleetRoute(
      path: "/api/share/end", right: .site(.viewer),
      action: .change { (record, scope) throws(PageRefusal) in .endShare(site: try scope.site, try record.share()) }),
  ]
}

extension Record {
  fileprivate func tag() throws(PageRefusal) -> BeaconIdentity {
    try FleetRoute.tag(self["uuid"]?.text, self["major"]?.plainText, self["minor"]?.plainText)
  }

  fileprivate func share() throws(PageRefusal) -> ShareID {
    guard let id = self["id"]?.text.flatMap(ShareID.init) else { throw PageRefusal(422, "id", "name the share in \"id\"") }
    return id
  }
}

extension TagShare {
  fileprivate init(_ record: Record) throws(PageRefusal) {
    let names = try record.text("recipients", "separate them with spaces").split(separator: " ").map(String.init)
    var recipients: [ShareParty] = []
    for name in names {
      guard let party = ShareParty(name) else {
        throw PageRefusal(
          422, "recipients",
          "\"\(name.prefix(64))\" is not a recipient; write a person, role:viewer, role:operator, role:owner, or device:NAME")
      }
      recipients.append(party)
    }
    guard (1...ShareOffer.mostRecipients).contains(recipients.count) else {
      throw PageRefusal(422, "recipients", "a share has 1 to \(ShareOffer.mostRecipients) recipients")
    }
    let purpose = try record.text("purpose", "the recipients read it")
    guard ShareOffer.isPurpose(purpose) else {
      throw PageRefusal(422, "purpose", "a purpose has 1 to \(ShareOffer.longestPurpose) octets in one line")
    }
    guard case .count(let seconds)? = record["seconds"], (60...UInt64(ShareMessage.longestSeconds)).contains(seconds) else {
      throw PageRefusal(422, "seconds", "a share lasts 60 to \(ShareMessage.longestSeconds) seconds")
    }
    self.init(recipients: recipients, purpose: purpose, seconds: Int64(seconds))
  }
}
