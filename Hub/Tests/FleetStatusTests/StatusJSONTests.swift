import FleetStatus
import Testing

@Suite struct StatusJSONTests {
  /// A status in which each part has a value, and each part that can be unknown is unknown once.
  static var filled: FleetStatus {
    var door = FleetStatus.Device(
      name: "berlin.door", silence: 5, lag: -2, version: "0.1.0", revision: 7, missing: 1, lost: 2, refused: ["future": 4, "copy": 3],
      setAside: 4, isRevoked: true, looksCloned: true)
    (door.isSilent, door.findings, door.recentRefusals) = (true, ["clock-behind", "silent"], ["unverified": "x", "conflict": "y"])
    (door.configuration, door.enrolled, door.certificate, door.expected) = ("0f1e", 3600, 86_400, -60)
    door.rollout = FleetStatus.DeviceRollout(revision: 9, state: .rolledBack, text: "line 3: \"x\" \\ is unknown")
    door.health = FleetStatus.DeviceHealth(
      problems: ["the disk is full", "adapter hci0"], freeSpace: 12, droppedDigests: 3, isClockSynchronised: false)
    var hall = FleetStatus.Device(
      name: "berlin.hall", silence: nil, lag: nil, version: nil, revision: nil, missing: 0, lost: 0, refused: [:], setAside: 0,
      isRevoked: false, looksCloned: false)
    hall.health = FleetStatus.DeviceHealth(problems: [], freeSpace: nil, droppedDigests: 0, isClockSynchronised: nil)
    var shop = hall
    (shop.name, shop.health) = ("köln.shop", nil)
    var queue = FleetStatus.Queue(number: 0, worker: "host.1", isOwned: true, backlog: 3)
    queue.newest = 9
    var rollout = FleetStatus.Rollout(
      revision: 9, phase: "failed", age: 7, reason: "why", audience: "berlin", actor: "root", soak: 6,
      counts: FleetStatus.RolloutCounts(waiting: 1, onTrial: 2, confirmed: 3, refused: 4, rolledBack: 5))
    rollout.canaries = [FleetStatus.RolloutDevice(name: "berlin.door", state: nil, text: "")]
    rollout.failures = [
      FleetStatus.RolloutDevice(name: "berlin.hall", state: .refused, text: "a"),
      FleetStatus.RolloutDevice(name: "berlin.door", state: .rolledBack, text: "b"),
    ]
    var status = FleetStatus(
      devices: [door, hall, shop], queues: [queue, FleetStatus.Queue(number: 1, worker: nil, isOwned: false, isIdle: true, backlog: nil)],
      alerts: [
        FleetStatus.Alert(id: 1, kind: "device-silent", text: "no \u{1}", age: 4, isMuted: true),
        FleetStatus.Alert(id: 2, kind: "backlog", text: "many", age: 5, isMuted: false),
      ], isWatched: true, failedDeliveries: 12, rollouts: [rollout, rollout],
      unattributed: [
        "topic": FleetStatus.UnattributedRefusals(messages: 2, detail: "fleet\u{1F}"),
        "sender": FleetStatus.UnattributedRefusals(messages: 1, detail: ""),
      ], setAside: 7, databaseSize: 5 << 20,
      retention: [
        FleetStatus.Retention(kind: "digest", hours: 24, oldest: 8, size: 3 << 40, checked: 12, failure: "full"),
        FleetStatus.Retention(kind: "audit", hours: 48, oldest: nil, size: nil, checked: nil, failure: nil),
      ])
    status.disks = [
      FleetStatus.Disk(machine: "hub1", path: "/var", free: .max, age: 7), FleetStatus.Disk(machine: "hub2", path: "/", free: 0, age: 8),
    ]
    status.certificates = [FleetStatus.Certificate(path: "hub.crt", end: 60), FleetStatus.Certificate(path: "ca.crt", end: -60)]
    status.outages = [
      FleetStatus.Outage(part: .database, cause: "disk", since: 300, ended: 120),
      FleetStatus.Outage(part: .broker, cause: "memory", since: nil),
    ]
    return status
  }

  @Test("the JSON of a filled status has each key in its order, null for unknown values, and one line for each element")
  func bytes() {
    let expected = #"""
      {"devices":[{"name":"berlin.door","silence":5,"lag":-2,"version":"0.1.0","revision":7,"configuration":"0f1e",\#
      "missing":1,"lost":2,"refused":{"copy":3,"future":4},"recentRefusals":["conflict","unverified"],"setAside":4,\#
      "revoked":true,"cloned":true,"silent":true,"findings":["clock-behind","silent"],"enrolled":3600,\#
      "neverConnected":false,"expected":-60,"certificate":86400,"problems":["the disk is full","adapter hci0"],\#
      "freeSpace":12,"droppedDigests":3,"isClockSynchronised":false,"rollout":{"revision":9,"state":"rolledBack",\#
      "text":"line 3: \"x\" \\ is unknown"}},
      {"name":"berlin.hall","silence":null,"lag":null,"version":null,"revision":null,"configuration":null,"missing":0,\#
      "lost":0,"refused":{},"recentRefusals":[],"setAside":0,"revoked":false,"cloned":false,"silent":false,"findings":[],\#
      "enrolled":null,"neverConnected":true,"expected":null,"certificate":null,"problems":[],"freeSpace":null,\#
      "droppedDigests":0,"isClockSynchronised":null,"rollout":null},
      {"name":"köln.shop","silence":null,"lag":null,"version":null,"revision":null,"configuration":null,"missing":0,\#
      "lost":0,"refused":{},"recentRefusals":[],"setAside":0,"revoked":false,"cloned":false,"silent":false,"findings":[],\#
      "enrolled":null,"neverConnected":true,"expected":null,"certificate":null,"problems":null,"freeSpace":null,\#
      "droppedDigests":null,"isClockSynchronised":null,"rollout":null}],
      "queues":[{"queue":0,"worker":"host.1","owned":true,"idle":false,"backlog":3,"newest":9},
      {"queue":1,"worker":null,"owned":false,"idle":true,"backlog":null,"newest":null}],
      "outages":[{"part":"database","cause":"disk","since":300,"ended":120,"text":"the disk of the database was full for 3m,\#
       until 2m ago"},
      {"part":"broker","cause":"memory","since":null,"ended":null,"text":"the broker takes no messages,\#
       because a node is low on memory: devices keep their messages; free memory at the nodes, and devices continue"}],
      "certificates":[{"path":"hub.crt","end":60},
      {"path":"ca.crt","end":-60}],
      "disks":[{"machine":"hub1","path":"/var","free":9223372036854775807,"age":7},
      {"machine":"hub2","path":"/","free":0,"age":8}],
      "alerts":[{"number":1,"kind":"device-silent","text":"no \u0001","age":4,"muted":true},
      {"number":2,"kind":"backlog","text":"many","age":5,"muted":false}],
      "watched":true,"failedDeliveries":12,
      "rollouts":[{"revision":9,"phase":"failed","age":7,"reason":"why","audience":"berlin","actor":"root","soak":6,\#
      "waiting":1,"onTrial":2,"confirmed":3,"refused":4,"rolledBack":5,"canaries":[{"name":"berlin.door","state":null,\#
      "text":""}],"failures":[{"name":"berlin.hall","state":"refused","text":"a"},{"name":"berlin.door",\#
      "state":"rolledBack","text":"b"}]},
      {"revision":9,"phase":"failed","age":7,"reason":"why","audience":"berlin","actor":"root","soak":6,"waiting":1,\#
      "onTrial":2,"confirmed":3,"refused":4,"rolledBack":5,"canaries":[{"name":"berlin.door","state":null,"text":""}],\#
      "failures":[{"name":"berlin.hall","state":"refused","text":"a"},{"name":"berlin.door","state":"rolledBack",\#
      "text":"b"}]}],
      "retention":[{"kind":"digest","hours":24,"oldest":8,"size":3298534883328,"checked":12,"failure":"full"},
      {"kind":"audit","hours":48,"oldest":null,"size":null,"checked":null,"failure":null}],
      "strangers":{"sender":{"messages":1,"last":""},"topic":{"messages":2,"last":"fleet\u001f"}},
      "setAside":7,
      "databaseSize":5242880}

      """#
    #expect(Self.filled.json == expected)
  }

  @Test("control characters are escaped as in all JSON of this project")
  func escapes() {
    var status = Self.filled
    status.alerts = [FleetStatus.Alert(id: 1, kind: "a", text: "\n\t\u{7F}\u{1B}\"\\", age: 4, isMuted: true)]
    #expect(status.json.contains(#""text":"\n\t\u007f\u001b\"\\","#))
  }
}
