import BrokerDefinitions
import Testing

@Suite struct NodeNameTests {
  @Test(arguments: ["broker1.example", "localhost", "10.0.0.1", "a-b"])
  func `a host name can be in a certificate`(text: String) {
    #expect(NodeName.fault(of: text) == nil)
  }

  @Test(arguments: ["", "broker1,DNS:*", "a b", "Broker", "*.example", "[::1]"])
  func `another text is not a host name`(text: String) {
    #expect(NodeName.fault(of: text) == "\"\(text)\" is not a host name; write one such as broker1.example")
  }

  @Test
  func `the files of a node do not have the name of those of the authority or of the workers`() {
    #expect(NodeName.fault(ofFiles: "ca")?.contains("files of the authority") == true)
    #expect(NodeName.fault(ofFiles: "hub")?.contains("files of the workers") == true)
    #expect(NodeName.fault(ofFiles: "hub.example") == nil)
  }
}
