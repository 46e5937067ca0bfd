import DataSources
import TestServer
import Testing

@testable import HTTPTransport

@Suite struct TLSTests {
  @Test func aServerWithATrustedCertificateResponds() async throws {
    let server = try TLSServer()
    let client = Client(transport: HTTPTransport(certificates: server.certificate))
    let response = try await client.get(server.url)
    #expect(response.status == 200)
    #expect(response.body.contains("s_server"))
  }

  @Test func aServerWithAnUntrustedCertificateIsRefused() async throws {
    let server = try TLSServer()
    let failure = try #require(await Client().failure(server.url))
    guard case .network(let message, isTransient: false) = failure else {
      Issue.record("\(failure)")
      return
    }
    #expect(message.hasPrefix("no secure connection to 127.0.0.1:"))
  }

  @Test func aMissingFileOfCertificatesFails() async throws {
    let server = try TLSServer()
    let client = Client(transport: HTTPTransport(certificates: "/nowhere/none.pem"))
    let message = try #require(await client.failure(server.url)).message
    #expect(message.contains("/nowhere/none.pem"))
  }

  @Test(
    arguments: [
      ([:], nil), (["SSL_CERT_FILE": "/a"], "/a"),
      (["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": "/b"], "/b"),
      (["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": ""], "/a"),
    ] as [([String: String], String?)])
  func theEnvironmentNamesTheTrustedCertificates(environment: [String: String], file: String?) {
    #expect(TrustedCertificates.file { environment[$0] } == file)
  }
}
