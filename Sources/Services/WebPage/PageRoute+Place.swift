import Geodesy
import HTTPMessages
import Records
import Venues

extension PageRoute {
  /// The plans, their pictures, the places, and the maps of levels.
  static func placeRoutes(_ queries: any PageQueries, _ files: any PageFiles, _ maps: any ErrorMaps) -> [PageRoute] {
    [
      PageRoute("/api/plans") { request, answer in
        queries.requestPlans(locale: request.argument("locale")) { result in
          answer(result.response { Record(["plans": .list($0.map(\.record))]) })
        }
      },
      PageRoute("/api/plan") { (request, answer) throws(PageRefusal) in
        let (level, venue) = (try request.needed("level"), request.argument("venue"))
        queries.requestPlan(level: level, venue: venue, locale: request.argument("locale")) { result in
          answer(result.response { $0.pageRecord(files) })
        }
      },
      PageRoute("/api/picture") { (request, answer) throws(PageRefusal) in
        let (level, venue) = (try request.needed("level"), request.argument("venue"))
        queries.requestPlan(level: level, venue: venue, locale: nil) { result in
          answer(
            result.flatMap { plan in
              guard let image = plan.image else { return .failure(PageRefusal(404, "picture", "the level has no picture")) }
              do throws(PageRefusal) { return .success(try files.picture(image)) } catch { return .failure(error) }
            })
        }
      },
      PageRoute("/api/places") { request, answer in
        queries.requestPlaces(locale: request.argument("locale")) { result in
          answer(result.response { Record(["places": .list($0.map(\.record))]) })
        }
      },
      PageRoute("/api/survey") { (request, answer) throws(PageRefusal) in
        queries.requestSurvey(level: try request.needed("level"), venue: request.argument("venue")) { result in
          answer(
            result.flatMap { readings in
              let map = SurveyMap(readings)
              if map.isEmpty {
                return .failure(PageRefusal(404, "survey", "the level has no survey; \"beaconmon survey\" makes one while you walk"))
              }
              return .success(HTTPServerResponse(contentType: "application/json", map.json))
            })
        }
      },
      PageRoute("/api/predicted-error") { (request, answer) throws(PageRefusal) in
        let (level, venue) = (try request.needed("level"), request.argument("venue"))
        queries.requestPlan(level: level, venue: venue, locale: nil) { result in
          switch result {
          case .success(let plan):
            maps.requestErrors(on: plan) { errors in
              guard let errors else { return answer(.failure(PageRefusal(503, "busy", "other maps are computed; try again"))) }
              answer(.success(HTTPServerResponse(contentType: "application/json", errors.json)))
            }
          case .failure(let refusal): answer(.failure(refusal))
          }
        }
      },
    ]
  }
}

extension PlanReport {
  /// The plan with its picture on the plan, and without the path of its file.
  func pageRecord(_ files: any PageFiles) -> Record {
    var plan = self
    (plan.image, plan.corners) = (nil, nil)
    var record = plan.record
    guard let image else { return record }
    do throws(PageRefusal) {
      try files.check(picture: image)
      guard let corners = pictureCorners else {
        throw PageRefusal(
          422, "anchors", "the picture has no place on the plan; add [frame] and two anchors of the level to the venue file")
      }
      record.append("picture", .flag(true))
      record.append(
        "pictureCorners", .list(corners.map { Record(["x": .quantity($0.x, decimals: 3), "y": .quantity($0.y, decimals: 3)]) }))
    } catch {
      record.append("pictureNote", .text(error.message))
    }
    return record
  }

  /// The corners of the picture in metres on the plan, from the top left one clockwise.
  private var pictureCorners: [PlanPoint]? {
    guard let frame = VenueFrame(self), let corners, corners.count == 4 else { return nil }
    let points = corners.compactMap { corner in
      corner.latitude.flatMap { latitude in corner.longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) } }
        .map { frame.point(for: $0) }
    }
    return points.count == 4 ? points : nil
  }
}
