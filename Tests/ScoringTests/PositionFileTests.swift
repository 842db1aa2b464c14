import Beacons
import Instants
import Scoring
import Testing
import Venues

@Suite struct PositionFileTests {
  @Test(
    arguments: [
      ("", nil, "the file is empty; its first line must be unix_time_s,x_m,y_m,z_m"),
      ("\n\n", nil, "the file is empty; its first line must be unix_time_s,x_m,y_m,z_m"),
      (
        "unix_time_s,x,y_m,z\n1,2,3,4\n", 1,
        "the columns x_m, z_m are missing; the first line must be unix_time_s,x_m,y_m,z_m"
      ),
      ("unix_time_s,x_m,y_m,z_m\n1,2,3,4\n", nil, "there are fewer than two positions with different times"),
      ("unix_time_s,x_m,y_m,z_m\n1,2,3,4\n2,2,3\n", 3, "there are 3 fields, but the first line names 4 columns"),
      ("unix_time_s,x_m,y_m,z_m\n1,2,3,4\n\n2,2,three,4\n", 4, "y_m: \"three\" is not a number"),
      ("unix_time_s,x_m,y_m,z_m\n1,nan,3,4\n2,2,3,4\n", 2, "x_m: nan is not between -100000 and 100000"),
      ("unix_time_s,x_m,y_m,z_m\n1,2,3,4\ninf,2,3,4\n", 3, "unix_time_s: inf is not between -253402300799 and 253402300799"),
      ("unix_time_s,x_m,y_m,z_m\n2,2,3,4\n1,2,3,4\n", 3, "unix_time_s: is before the previous line; sort the lines by time"),
    ] as [(String, Int?, String)])
  func `a bad file of true positions is refused with its line`(text: String, line: Int?, message: String) throws {
    let error = try #require(throws: PositionTableError.self) { try WalkTruth(csv: text) }
    #expect(error.line == line)
    #expect(error.message == message)
  }

  @Test(
    arguments: [
      ("minor,x_m,y_m,z_m\n", nil, "there is no beacon"),
      ("minor,x_m,y_m,z_m\n70000,1,1,1\n", 2, "minor: \"70000\" is not a whole number from 0 to 65535"),
      ("minor,x_m,y_m,z_m\n,1,1,1\n", 2, "minor: is empty"),
      (
        "minor,x_m,y_m,z_m\n1,1,1,1\n1,2,2,2\n", 3,
        "the beacon of minor 1 is a duplicate; add columns uuid and major if minors repeat"
      ),
    ] as [(String, Int?, String)])
  func `a bad file of beacons is refused with its line`(text: String, line: Int?, message: String) throws {
    let error = try #require(throws: PositionTableError.self) { try BeaconPositions(csv: text) }
    #expect(error.line == line)
    #expect(error.message == message)
  }

  @Test func `columns are found by name, and CR LF, spaces and further columns do no harm`() throws {
    let truth = try WalkTruth(csv: "\u{FEFF}note,z_m,y_m,x_m,unix_time_s\r\na, 3 ,2,1,10.5\r\nb,3,2,1,10.5\r\nb,3,2,5,12.5\r\n")
    #expect(truth.times == [Instant(microseconds: 10_500_000), Instant(microseconds: 12_500_000)])
    #expect(truth.position(at: Instant(microseconds: 11_000_000)) == SIMD3(2, 2, 3))
    #expect(truth.position(at: Instant(microseconds: 0)) == SIMD3(1, 2, 3))
    #expect(truth.position(at: Instant(microseconds: 20_000_000)) == SIMD3(5, 2, 3))
  }

  @Test func `UUID and major distinguish beacons of one minor, if the file names them`() throws {
    let (here, there) = (BeaconUUID(high: 1, low: 2), BeaconUUID(high: 1, low: 3))
    let positions = try BeaconPositions(csv: "uuid,major,minor,x_m,y_m,z_m\n\(here),1,5,0,0,0\n\(here),2,5,1,0,0\n,,6,2,0,0\n")
    #expect(positions.index(of: BeaconIdentity(uuid: here, major: 1, minor: 5)) == 0)
    #expect(positions.index(of: BeaconIdentity(uuid: here, major: 2, minor: 5)) == 1)
    #expect(positions.index(of: BeaconIdentity(uuid: there, major: 1, minor: 5)) == nil)
    #expect(positions.index(of: BeaconIdentity(uuid: there, major: 9, minor: 6)) == 2)
  }
}
