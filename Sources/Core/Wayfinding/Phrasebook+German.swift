extension Phrasebook {
  public static let german = Phrasebook(
    language: "de", decimalMark: ",", metre: Noun("Meter", "Meter", after: "Metern"),
    kilometre: Noun("Kilometer", "Kilometer", after: "Kilometern"), foot: Noun("Fuß", "Fuß"),
    mile: Noun("Meile", "Meilen"), lessThanMetre: "weniger als ein Meter", lessThanFoot: "weniger als ein Fuß",
    minute: Noun("Minute", "Minuten"), hour: Noun("Stunde", "Stunden"), hoursAndMinutes: "{hours} und {minutes}",
    lessThanMinute: "weniger als eine Minute",
    forward: "folgen Sie dem Weg geradeaus", forwardFor: "folgen Sie dem Weg geradeaus, Strecke: {distance}", turnAround: "kehren Sie um",
    straight: "gehen Sie geradeaus weiter", slight: Sides(left: "halten Sie sich links", right: "halten Sie sich rechts"),
    usual: Sides(left: "biegen Sie links ab", right: "biegen Sie rechts ab"),
    sharp: Sides(left: "biegen Sie scharf links ab", right: "biegen Sie scharf rechts ab"),
    around: Sides(left: "kehren Sie links herum um", right: "kehren Sie rechts herum um"),
    throughDoor: "gehen Sie durch die Tür", throughDoors: "gehen Sie durch die Türen", throughGate: "gehen Sie durch die Sperre",
    inDoor: "{action}, an der Tür",
    stairs: Levels(
      up: "nehmen Sie die Treppe nach oben, Ziel: {level}", down: "nehmen Sie die Treppe nach unten, Ziel: {level}",
      flat: "nehmen Sie die Treppe"),
    escalator: Levels(
      up: "nehmen Sie die Rolltreppe nach oben, Ziel: {level}", down: "nehmen Sie die Rolltreppe nach unten, Ziel: {level}",
      flat: "nehmen Sie die Rolltreppe"),
    ramp: Levels(
      up: "nehmen Sie die Rampe nach oben, Ziel: {level}", down: "nehmen Sie die Rampe nach unten, Ziel: {level}",
      flat: "nehmen Sie die Rampe"),
    lift: Levels(
      up: "nehmen Sie den Aufzug nach oben, Ziel: {level}", down: "nehmen Sie den Aufzug nach unten, Ziel: {level}",
      flat: "nehmen Sie den Aufzug"),
    movingWalkway: Levels(
      up: "nehmen Sie den Fahrsteig nach oben, Ziel: {level}", down: "nehmen Sie den Fahrsteig nach unten, Ziel: {level}",
      flat: "nehmen Sie den Fahrsteig"),
    onLevel: "Ebene erreicht: {level}; {action}", goOn: "gehen Sie weiter",
    pass: Sides(left: "links liegt {place}", right: "rechts liegt {place}"), arriveAhead: "vor Ihnen liegt {place}",
    arrive: Sides(left: "links von Ihnen liegt {place}", right: "rechts von Ihnen liegt {place}"),
    reachIn: "in {distance} erreichen Sie: {place}", alreadyAt: "Sie sind schon am Ziel: {place}", alreadyThere: "Sie sind schon am Ziel",
    destination: "das Ziel",
    atLandmark: "bei {place}: {action}", inDistance: "in {distance}: {action}", then: "{first}, dann {second}",
    thenIn: "{first}, dann in {distance}: {second}", thenReach: "{first}, dann erreichen Sie in {distance}: {place}",
    keepGoing: "weiter geradeaus, Rest bis dahin: {distance}", offRoute: "Sie haben den Weg verlassen; hier ist ein neuer",
    routeEnded: "Sie sind angekommen: {arrival}", arrived: "Sie sind angekommen", summary: "{distance}, {time}",
    startMoved: "der Start liegt neben der begehbaren Fläche, Entfernung: {distance}; der Weg beginnt am nächsten Punkt der Fläche",
    states: States(
      searching: "{place}: Position wird gesucht", lost: "{place}: keine Richtung", straightLine: "{place}, in gerader Linie",
      noArrow: "Richtung {bearing}; kein Pfeil: {reason}", headingUnknown: "die Ausrichtung dieses Geräts ist unbekannt",
      ahead: "geradeaus ({bearing})", turn: Sides(left: "{angle} nach links ({bearing})", right: "{angle} nach rechts ({bearing})"),
      compass: ["N", "NO", "O", "SO", "S", "SW", "W", "NW"], newRoute: Noun("neuer Weg", "neue Wege")),
    obstacles: Obstacles(
      noCompass: "dieses Gerät hat weder Magnetometer noch Kompass",
      uncalibrated: "der Kompass ist nicht kalibriert: drehen Sie das Gerät in alle Richtungen",
      disturbed: "ein Magnet, Eisen oder ein Strom in der Nähe stört den Kompass; entfernen Sie das Gerät davon",
      positionUnknown: "die Position ist unbekannt; siehe \"beaconmon status\"",
      accuracyUnknown: "die Genauigkeit der Position ist unbekannt, daher ist auf sie kein Verlass",
      inaccurate: "die Position ist nur auf {metres} m genau, nötig sind {most} m",
      noFrame: "der Plan hat keinen [frame], daher führt keine Richtung dorthin; ergänzen Sie latitude, longitude und bearing",
      noRoute: "{place}: von hier führt kein Weg hin: {reason}",
      leftRoute: "Sie haben den Weg verlassen, und von hier führt kein anderer zum Ziel: {reason}",
      noWayNear: "kein Weg ist in der Nähe; gehen Sie zu einem zurück",
      nearInaccurate: "das Ziel ist nah, aber die Position ist nur auf {metres} m genau; nötig ist eine genauere Position",
      nearInaccurateOutside: "das Ziel ist nah, aber die Position ist nur auf {metres} m genau; "
        + "nötig ist ein größerer Radius oder eine genauere Position",
      nearOutside: "das Ziel ist nah, aber die Position liegt außerhalb des Gebäudes; gehen Sie hinein",
      nearLevelUnknown: "das Ziel ist nah, aber die Ebene dieses Geräts ist unbekannt; "
        + "ergänzen Sie eine Ortungsquelle mit Ebene, zum Beispiel Beacons",
      levelUnknown: "die Ebene dieses Geräts ist unbekannt; ergänzen Sie eine Ortungsquelle mit Ebene, zum Beispiel Beacons",
      straightLevelUnknown: "Ihre Ebene ist unbekannt, daher ist dies eine gerade Linie; Ebene des Ziels: {level}",
      straightFloorMissing: "Ihre Position liegt auf der Ebene {floor}, die der Plan nicht hat, daher ist dies eine gerade Linie; "
        + "Ebene des Ziels: {level}",
      routeErrors: RouteErrors(
        startOutside: "der Start liegt außerhalb: {metres} m neben der begehbaren Fläche",
        destinationOutside: "das Ziel liegt außerhalb: {metres} m neben der begehbaren Fläche",
        island: "kein Weg führt von der Ebene \"{from}\" zum Ziel auf der Ebene \"{to}\"; ergänzen Sie [[edge]] oder [[lift]]",
        separateNodes: "kein Weg führt vom Knoten \"{from}\" zum Knoten \"{to}\" auf der Ebene \"{level}\"; "
          + "ergänzen Sie [[edge]] oder [[lift]]",
        separateParts: "Start und Ziel liegen auf getrennten Teilen der Ebene \"{level}\"; "
          + "ergänzen Sie [[edge]] oder eine Tür dazwischen",
        closed: "jeder Weg ist gesperrt", oneWay: "die einzigen Wege führen in die Gegenrichtung",
        notAccessible: "kein Weg ist als barrierefrei bekannt; "
          + "ergänzen Sie wheelchair = \"yes\" bei den Ebenen, Wegen und Aufzügen, die ein Rollstuhl passiert",
        tooComplex: "die Ebene \"{level}\" ist zu verwinkelt, um Wege abzuleiten; ergänzen Sie [[node]] und [[edge]]",
        invalidPoint: "der Punkt liegt auf keiner Ebene")))
}
