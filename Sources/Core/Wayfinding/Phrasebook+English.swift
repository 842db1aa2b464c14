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
    leaveNow: "leave now: {time} to {place}",
    leaveUrgently: "leave at once: {time} to {place}")
}
