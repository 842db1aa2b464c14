import Venues

// The categories of the standard (OGC 20-094, Categories) and the kinds of places.

extension Place.Kind {
  /// The kind of an amenity.
  init(amenity category: String) {
    self =
      switch category.prefix(while: { $0 != "." }) {
      case "exhibit": .exhibit
      case "arrivalgate", "boardinggate", "faregate", "gatearea", "platform": .gate
      case "cashier", "checkin", "guestservices", "information", "lostandfound", "reception", "security", "ticketing": .desk
      case "entry": .entrance
      case "restroom": .toilet
      case "eatingdrinking", "foodservice", "vendingmachine": .food
      case "seat", "seating": .seat
      case "stairs": .stairs
      case "elevator": .lift
      case "library", "meditation", "mothersroom", "prayerroom", "privatelounge", "shower", "storage": .room
      default: .other
      }
  }

  /// The kind of a named unit.
  init(unit category: String) {
    self =
      switch category.prefix(while: { $0 != "." }) {
      case "restroom": .toilet
      case "stairs", "steps": .stairs
      case "elevator": .lift
      case "foodservice": .food
      case "platform": .gate
      default: .room
      }
  }

  /// The kind of a named section.
  init(section category: String) {
    self =
      switch category.prefix(while: { $0 != "." }) {
      case "exhibit", "exhibition": .exhibit
      case "arcade", "concessions", "dutyfree", "retail", "retaildepartment": .shop
      case "gatearea", "platform": .gate
      case "checkin", "information", "ticketing": .desk
      case "eatingdrinking": .food
      case "seating", "seatingrow": .seat
      default: .room
      }
  }

  /// The kind of an occupant: the categories name hundreds of trades, nearly all of them shops.
  init(occupant category: String) {
    let food: Set<Substring> = [
      "bar", "bistro", "breakfastandbrunch", "buffet", "burgers", "cafe", "cafeteria", "coffee", "coffeeandtea", "diner", "fastfood",
      "foodcourt", "icecream", "pizza", "pub", "restaurant", "sandwiches", "tea",
    ]
    let main = category.prefix { $0 != "." }
    self = food.contains(main) ? .food : main == "museum" || main == "artgallery" ? .exhibit : .shop
  }

  /// The category of the amenity that stands for a place; nil for shops, which are occupants.
  var amenityCategory: String? {
    switch self {
    case .exhibit: "exhibit"
    case .shop: nil
    case .gate: "boardinggate"
    case .desk: "information"
    case .entrance, .exit: "entry"
    case .toilet: "restroom"
    case .food: "eatingdrinking"
    case .seat: "seating"
    case .stairs: "stairs"
    case .lift: "elevator"
    case .room, .story, .other: "unspecified"
    }
  }

  /// The category of the section for the area of a place.
  var sectionCategory: String {
    switch self {
    case .exhibit: "exhibit"
    case .shop: "retail"
    case .gate: "gatearea"
    case .desk: "information"
    case .food: "eatingdrinking"
    case .seat: "seating"
    case .room, .entrance, .exit, .toilet, .stairs, .lift, .story, .other: "servicearea"
    }
  }
}

/// The meaning of a unit for positions.
enum UnitUse {
  /// Visitors can be there.
  case walkable
  /// A hole in the floor.
  case void
  /// A column or a wall, which may stand within another unit.
  case solid
  /// A part of the building that visitors do not enter.
  case closed

  init(category: String) {
    self =
      switch category.prefix(while: { $0 != "." }) {
      case "opentobelow": .void
      case "brick", "column", "concrete", "drywall", "glass", "structure", "vegetation", "wood": .solid
      case "nonpublic", "road", "serverroom": .closed
      default: .walkable
      }
  }

  /// Whether a unit of this category is the room of its occupant, and not a hall with stands.
  static func isRoom(_ category: String) -> Bool {
    ![
      "", "fieldofplay", "footbridge", "lobby", "parking", "platform", "ramp", "terrace", "unenclosedarea", "unspecified", "walkway",
    ].contains(category.prefix { $0 != "." })
  }
}
