import Beacons
import Records

extension SetupDialogue {
  /// The answer that keeps the names of the list.
  static let shownNames = "as shown"
  /// The maximum number of regions that setup suggests, one for each beacon.
  private static let manyBeacons = 40
  /// The maximum number of facts of a question, so that it fits a small window.
  private static let mostFacts = 12

  var adapterQuestion: SetupQuestion {
    SetupQuestion(
      "Adapters", "Which Bluetooth adapters receive beacons?",
      choices: ["all of them"] + surroundings.adapters.map { "\($0.address)\($0.name.map { " (\($0))" } ?? "")" },
      standard: "1",
      help:
        "More adapters lose fewer packets. Choose some of them, such as 2,3, if the others serve another purpose: the daemon then "
        + "ignores "
        + "those. Addresses stay when an adapter is plugged in elsewhere, names such as hci0 do not.")
  }

  var uuidQuestion: SetupQuestion {
    let heard = surroundings.uuids
    let again = surroundings.canListen ? " \"again\" listens again for some seconds." : ""
    return SetupQuestion(
      "Beacons", heard.isEmpty ? "Which UUID do your beacons have?" : "Which beacons are yours? \(surroundings.source):",
      facts: heard.isEmpty ? absence : [],
      choices: heard.map { entry in
        "\(entry.uuid): \(Count.text(entry.count, "beacon"))\(Self.strength(entry.rssi).map { ", \($0)" } ?? "")"
      },
      standard: heard.isEmpty ? nil : "1",
      help:
        "Every beacon sends a UUID, which those of one owner share, and two numbers: major and minor. Type numbers of the list, such "
        + "as 1,2, "
        + "or a UUID from the documentation of your beacons, or none.\(again)")
  }

  /// The reason why no beacon is heard, and what to do.
  private var absence: [String] {
    let reason = surroundings.obstacle ?? "No beacon is in range."
    guard surroundings.canListen else { return [reason] }
    guard surroundings.obstacle != nil else {
      return [reason, "Switch the beacons on, and type \"again\" to listen again; or type the UUID from their documentation."]
    }
    // Setup has no radio of its own: the daemon receives.
    let options = surroundings.isConfigMissing ? ["There is no config yet: start beaconmond with --config /dev/null --source auto."] : []
    let next = "Do that in another terminal, and type \"again\" to listen again; or type the UUID from the documentation of your beacons."
    return [reason] + options + [next]
  }

  var venueQuestion: SetupQuestion {
    SetupQuestion(
      "Venue", "The file that says where the beacons hang:", standard: "none",
      help:
        "A venue file has the plan, the places and the positions of beacons, and gives an indoor position; \"beaconmon venue new\" "
        + "makes one. "
        + "Type its path, relative to the folder of \(configuration.path), or none. It can be added later.")
  }

  var groupingQuestion: SetupQuestion {
    let counts = Dictionary(
      uniqueKeysWithValues: groupings.map {
        ($0, surroundings.candidates($0, of: answers.uuids, at: answers.venue?.content).count)
      })
    let suggested: Grouping =
      counts[.eachPlace] != nil
      ? .eachPlace
      : (counts[.eachBeacon] ?? .max) <= Self.manyBeacons
        ? .eachBeacon : (counts[.eachMajor] ?? .max) <= Self.manyBeacons ? .eachMajor : .eachUUID
    return SetupQuestion(
      "Regions", "The device enters and leaves regions. Make one for:",
      choices: groupings.map { grouping in
        let count = counts[grouping] ?? 0
        return switch grouping {
        case .eachBeacon: "each beacon (\(count))"
        case .eachMajor: "each major (\(count))"
        case .eachUUID: "each UUID (\(count))"
        case .eachPlace: "each place of the venue (\(count))"
        }
      },
      standard: groupings.firstIndex(of: suggested).map { "\($0 + 1)" } ?? "1",
      help:
        "Choose each beacon for doors or exhibits, each UUID to know only whether the device is in the building, and places if the "
        + "venue file has at least four beacons around them. The number of new regions is in parentheses; regions of the config stay as they are."
    )
  }

  var nameQuestion: SetupQuestion {
    let shown = answers.candidates.prefix(Self.mostFacts).map { candidate in
      [candidate.label == candidate.name ? nil : candidate.label, candidate.name, Self.strength(candidate.rssi)].compactMap(\.self)
        .joined(separator: "  ")
    }
    let more = answers.candidates.count - shown.count
    return SetupQuestion(
      "Names", "The names of the regions in events:", facts: shown + (more > 0 ? ["and \(more) more"] : []), standard: Self.shownNames,
      help:
        "Type the names in this order, separated with commas, or some of them, such as \(answers.candidates.first?.label ?? "1/5")=door; a "
        + "region without a name keeps the one that is shown. Or type a pattern such as exhibit-*, whose * becomes the number of the "
        + "beacon, or \"each\" to be asked for one after the other.")
  }

  func nameQuestion(_ index: Int) -> SetupQuestion {
    let candidate = answers.candidates[index]
    let strength = Self.strength(candidate.rssi).map { ", \($0)" } ?? ""
    return SetupQuestion(
      "Name \(index + 1) of \(answers.candidates.count)", "The name of \(candidate.label)\(strength):", standard: candidate.name,
      help: "The name in events, 1 to 64 characters that no other region has. Walk to a beacon to recognise it by its signal strength.")
  }

  var distanceQuestion: SetupQuestion {
    SetupQuestion(
      "Distance", "Enter a region within how many metres of its beacon?", standard: answers.grouping == .eachBeacon ? "3" : "none",
      help:
        "From 0.1 to 100. A region is left beyond one and a half times this distance. With none, a region is entered when its beacon is "
        + "heard, 10 to 50 m away. Distances are rough; \"beaconmon calibrate\" improves them.")
  }

  var targetQuestion: SetupQuestion {
    let count = surroundings.present.actions
    let present = count == 0 ? "" : " The config has \(Count.text(count, "action")) already, which stay."
    return SetupQuestion(
      "Targets", "Where do the events go, besides the journal and programs on this machine?\(present)",
      choices: [
        "nowhere else", "the log of beaconmon-notifier", "a web server (webhook)", "an MQTT broker, and Home Assistant", "a command",
      ],
      standard: "1",
      help:
        "\"beaconmon events\" prints the journal. Choose several with 2,3. The notifier retries until a target has every event. The "
        + "manual "
        + "beaconmon.toml(5) has more kinds, signatures, passwords, and actions for single regions.")
  }

  var webhookQuestion: SetupQuestion {
    SetupQuestion(
      "Webhook", "The address of the web server:", standard: answers.webhook.isEmpty ? nil : answers.webhook,
      help:
        "Such as https://shop.example.org/events, which gets each event as JSON. Add a secret to the target in the config later, so "
        + "that the "
        + "server can check the origin.")
  }

  var brokerQuestion: SetupQuestion {
    SetupQuestion(
      "Broker", "The host of the MQTT broker:", standard: nil,
      help:
        "Such as broker.local, broker.local:1883 or, with TLS, mqtts://broker.local. The regions appear in Home Assistant. A name and a "
        + "password go to the target in the config later, because the password needs a file of its own.")
  }

  var commandQuestion: SetupQuestion {
    SetupQuestion(
      "Command", "The program that runs at each event, and its arguments:", standard: nil,
      help:
        "An absolute path or a name in PATH, such as /usr/bin/logger A visitor came in. There is no shell, so that * means *. The "
        + "event is in "
        + "variables such as BEACONMON_REGION.")
  }

  var reviewQuestion: SetupQuestion {
    let plan = plan
    var facts: [String] = []
    if !plan.ignoredAdapters.isEmpty {
      facts.append("ignored adapters: \(plan.ignoredAdapters.map(\.description).joined(separator: ", "))")
    }
    if let venue = plan.venue { facts.append("venue: \(venue)") }
    if let first = plan.regions.first?.name {
      let last = plan.regions.count > 1 ? " to \(plan.regions[plan.regions.count - 1].name)" : ""
      let within = answers.within.map { ", within \($0 == $0.rounded() ? "\(Int($0))" : "\($0)") m" } ?? ""
      facts.append("\(Count.text(plan.regions.count, "region")): \(first)\(last)\(within)")
    }
    if !plan.offsets.isEmpty {
      facts.append(
        "offsets of \(Count.text(plan.offsets.count, "beacon")) by the "
          + "survey")
    }
    facts += plan.targets.map { target in
      switch target {
      case .log: "target: the log"
      case .webhook(let url): "target: webhook \(url)"
      case .broker(let host, let port, let isEncrypted):
        "target: MQTT \(host)\(port.map { ":\($0)" } ?? "")\(isEncrypted ? " with TLS" : "")"
      case .command(let words): "target: command \(words.joined(separator: " "))"
      }
    }
    if plan.isEmpty { facts.append("nothing was chosen") }
    do throws(SetupRefusal) { facts += try configuration.review(plan).warnings } catch { facts += error.lines }
    return SetupQuestion(
      "Write", "Add this to \(configuration.path)?", facts: facts, standard: plan.isEmpty ? nil : "y",
      help: "y writes the file, n leaves it as it is, and show prints the new text. All other text of the file stays, with its comments.")
  }

  func startQuestion(_ commands: [String]) -> SetupQuestion {
    SetupQuestion(
      "Start", "Start the services with this config now?", facts: commands, standard: "y",
      help: "y runs these commands, n leaves the services as they are.")
  }

  private static func strength(_ rssi: Double?) -> String? { rssi.map { "\(Int($0.rounded())) dBm" } }
}
