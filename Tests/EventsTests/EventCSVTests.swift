import Events
import Instants
import Testing

@Suite struct EventCSVTests {
  @Test func `an event is one line with a field for each column, which is empty for an unknown value`() throws {
    var event = try Samples.event()
    (event.journal, event.region) = ("J", "Hall, \"east\"")
    (event.regionKind, event.state, event.beacon, event.distance, event.accuracy, event.proximity) = (nil, nil, nil, nil, nil, nil)
    event.distanceMethod = nil
    (event.location, event.boundaryDistance, event.isClockSynchronised, event.firstSequence) = (nil, nil, nil, nil)
    (event.placeName, event.placeID, event.floor, event.levelName) = (nil, nil, nil, nil)
    (event.appointment, event.appointmentTime, event.travelTime, event.travelDistance) = (nil, nil, nil, nil)
    (event.ended, event.battery, event.temperature) = (nil, nil, nil)
    event.reason = Event.Reason(.silence)
    event.reason.exitDelay = .seconds(30)
    #expect(
      EventCSV.line(event)
        == "J,2,2020-02-09T12:44:44.779766Z,exit,\"Hall, \"\"east\"\"\",,,,,,-65.3,,,,silence,,,,,30s,,,true,,,,,,,,,,,,,,,,,,,,,,,,,,,\r\n"
    )
  }

  @Test func `each column keeps its position and has the value of its key`() throws {
    #expect(
      EventCSV.header
        == "journal,sequence,time,event,region,kind,state,uuid,major,minor,rssi,distance,accuracy,proximity,cause,lastSeen,lastSeenAge,samples,"
        + "threshold,exitDelay,dwell,adapter,durable,latitude,longitude,horizontalAccuracy,speed,boundaryDistance,hold,fixTime,fixAge,"
        + "clockSynchronised,firstSequence,distanceMethod,probability,place,placeId,appointment,appointmentTime,travelTime,travelDistance,"
        + "ended,battery,temperature,longestGap,usualRssi,otherRssi,displacement,floor,levelName\r\n"
    )
    #expect(
      try EventCSV.line(Samples.event())
        == "3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11,2,2020-02-09T12:44:44.779766Z,exit,hall,circle,outside,8ec76ea3-6668-48da-9866-75be8bc86f4d,"
        + "1,11,-65.3,2.07,1.24,near,silence,2020-02-09T12:44:44.779766Z,0.500,13,3.00,30s,2m,hci0,true,48.1000000,11.5000000,8.00,1.25,"
        + "-35.20,20s,2020-02-09T12:44:44.779766Z,0.250,false,1,bayesian,0.87,Lodestone,lodestone,Tour,2020-02-09T12:44:44.779766Z,90s,120.5,"
        + "beacon-missing,2.95,21.5,95s,-60.5,-80.5,12.5,-1,Basement\r\n"
    )
  }

  @Test func `no two keys share a column, and no column is unused`() {
    let columns = (Event.fields.map(\.column) + Event.fields.flatMap { $0.parts.map(\.column) }).compactMap(\.self)
    #expect(columns.sorted() == Array(columns.indices))
  }
}
