extension Phrasebook {
  public static let english = Phrasebook(
    language: "en", decimalMark: ".", metre: Noun("metre", "metres"), kilometre: Noun("kilometre", "kilometres"),
    foot: Noun("foot", "feet"),
    mile: Noun("mile", "miles"), lessThanMetre: "less than a metre", lessThanFoot: "less than a foot",
    minute: Noun("minute", "minutes"), hour: Noun("hour", "hours"), hoursAndMinutes: "{hours} and {minutes}",
    lessThanMinute: "less than a minute",
    forward: "move forward", forwardFor: "move forward {distance}", turnAround: "turn around", straight: "keep straight on",
    slight: Sides(left: "bear left", right: "bear right"), usual: Sides(left: "turn left", right: "turn right"),
    sharp: Sides(left: "turn sharp left", right: "turn sharp right"),
    around: Sides(left: "turn around to the left", right: "turn around to the right"),
    throughDoor: "go through the door", throughDoors: "go through the doors", throughGate: "go through the gate",
    inDoor: "{action} at the door",
    stairs: Levels(up: "take the stairs up to {level}", down: "take the stairs down to {level}", flat: "take the steps"),
    escalator: Levels(up: "take the escalator up to {level}", down: "take the escalator down to {level}", flat: "take the escalator"),
    ramp: Levels(up: "take the ramp up to {level}", down: "take the ramp down to {level}", flat: "take the ramp"),
    lift: Levels(up: "take the lift up to {level}", down: "take the lift down to {level}", flat: "take the lift"),
    movingWalkway: Levels(
      up: "take the moving walkway up to {level}", down: "take the moving walkway down to {level}", flat: "take the moving walkway"),
    proceed: "you are on {level}; go on", proceedFor: "you are on {level}; move forward {distance}",
    pass: Sides(left: "pass {place} on your left", right: "pass {place} on your right"),
    arriveAhead: "{place} is ahead of you", arrive: Sides(left: "{place} is on your left", right: "{place} is on your right"),
    reachIn: "in {distance}, you reach {place}", alreadyAt: "you are already at {place}", alreadyThere: "you are already there",
    destination: "the destination", atLandmark: "at {place}, {action}", inDistance: "in {distance}, {action}",
    then: "{first}, then {second}", keepGoing: "keep going, {distance} more", offRoute: "you have left the route; here is a new one",
    routeEnded: "you have arrived: {arrival}", arrived: "you have arrived", summary: "{distance}, {time}",
    startMoved: "the start is {distance} from the floor, so the route begins at the nearest point of the floor",
    leaveNow: "leave now: {time} to {place}",
    leaveUrgently: "leave at once: {time} to {place}",
    states: States(
      searching: "{place}: searching for the position", lost: "{place}: no direction", straightLine: "{place}, in a straight line",
      noArrow: "direction {bearing}; no arrow: {reason}", headingUnknown: "the heading of this device is unknown",
      ahead: "straight ahead ({bearing})", turn: Sides(left: "{angle} to the left ({bearing})", right: "{angle} to the right ({bearing})"),
      compass: ["N", "NE", "E", "SE", "S", "SW", "W", "NW"], newRoute: Noun("new route", "new routes")),
    obstacles: Obstacles(
      noCompass: "this device has no magnetometer and no compass",
      uncalibrated: "the compass is not calibrated: turn the device in all directions",
      disturbed: "a magnet, iron or a current near the device disturbs the compass; move the device away from it",
      accuracyUnknown: "the accuracy of the position is unknown, so that it cannot be trusted",
      inaccurate: "the position is accurate to {metres} m only, and guidance needs {most} m",
      noFrame: "the venue has no [frame], so that no direction leads there; add its latitude, longitude and bearing",
      noRoute: "no route from here to {place}: {reason}",
      leftRoute: "you have left the route, and no other leads from here: {reason}", noWayNear: "no way is near; go back to one",
      nearInaccurate: "the destination is near, but the position is accurate to {metres} m only; a more accurate position is needed",
      nearInaccurateOutside: "the destination is near, but the position is accurate to {metres} m only; "
        + "a larger radius or a more accurate position is needed",
      nearOutside: "the destination is near, but the position is outside of its venue; go inside",
      nearLevelUnknown: "the destination is near, but the level of this device is unknown; "
        + "add a location source with a floor, such as beacons",
      levelUnknown: "the level of this device is unknown; add a location source with a floor, such as beacons",
      straightLevelUnknown: "your level is unknown, so this is a straight line; {place} is on {level}",
      straightFloorMissing: "your position is on floor {floor}, which the venue does not have, so this is a straight line; "
        + "{place} is on {level}",
      noWay: NoWay(
        startOutside: "the start is outside: {metres} m from the floor that visitors can walk on",
        destinationOutside: "the destination is outside: {metres} m from the floor that visitors can walk on",
        island: "no way leads from level \"{from}\" to the destination on level \"{to}\"; add an [[edge]] or a [[lift]]",
        closed: "every way is closed", oneWay: "the only ways lead in the other direction",
        notAccessible: "no way is known to be accessible; "
          + "add wheelchair = \"yes\" to the levels, edges and lifts that a wheelchair passes",
        tooComplex: "level \"{level}\" is too complex to derive ways; add [[node]] and [[edge]]",
        invalidPoint: "the point is on no level of the venue")))
}
