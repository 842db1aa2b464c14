import Consent
import Testing

/// The insiders of a service of user 990 with the group 991.
@Suite struct InsidersTests {
  @Test(
    arguments: [
      (0, [], true, true),
      (990, [], true, true),
      (990, nil, true, true),
      (1000, [50, 991], true, false),
      (nil, [991], true, false),
      // The number of a group is not that of a user.
      (991, [], false, false),
      (1000, [0, 990], false, false),
      (1000, [], false, false),
      (1000, nil, false, false),
      (nil, nil, false, false),
    ] as [(UInt32?, [UInt32]?, Bool, Bool)])
  func `root and the own user are insiders, and members of the group if the service has one`(
    user: UInt32?, groups: [UInt32]?, isInsider: Bool, isInsiderWithoutGroup: Bool
  ) {
    #expect(Insiders(user: 990, group: 991).contains(user: user, groups: groups) == isInsider)
    var insiders = Insiders(user: 990)
    #expect(insiders.contains(user: user, groups: groups) == isInsiderWithoutGroup)
    insiders.insert(group: 991)
    #expect(insiders.contains(user: user, groups: groups) == isInsider)
  }
}
