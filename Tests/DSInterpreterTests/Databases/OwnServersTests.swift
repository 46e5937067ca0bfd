import Foundation
import Glibc
import TestSupport
import Testing

struct OwnServersTests {
  @Test(.requires(.postgres))
  func aKilledServerStartsAgainAtItsAddress() throws {
    let servers = try OwnServers("postgres")
    let folder = servers.databases.folder
    #expect(servers.databases.postgres != TestDatabases.running.postgres)
    #expect(servers.databases.clickhouse == nil)
    let process = try #require(Self.process(of: "postgres", in: folder))
    try servers.kill("postgres")
    #expect(!Self.runs(process, in: folder))
    try servers.start("postgres")
    let next = try #require(Self.process(of: "postgres", in: folder))
    #expect(next != process && Self.runs(next, in: folder))
  }

  @Test(.requires(.clickhouse))
  func theServersEndWithTheValue() throws {
    var servers: OwnServers? = try OwnServers("clickhouse")
    let databases = try #require(servers?.databases)
    #expect(databases.shards.count == 3 && databases.nativeShards.count == 3)
    #expect(databases.clickhouse == "clickhouse://\(databases.shards.first ?? "")/default")
    let processes = (1...3).compactMap { Self.process(of: "shard\($0)", in: databases.folder) }
    #expect(processes.count { Self.runs($0, in: databases.folder) } == 3)
    servers = nil
    #expect(!processes.contains { Self.runs($0, in: databases.folder) })
    #expect(!FileManager.default.fileExists(atPath: databases.folder))
  }

  @Test func anUnknownServerIsAnError() {
    #expect {
      try OwnServers("mysql")
    } throws: { error in
      "\(error)".contains("unknown server mysql: expected postgres")
    }
  }

  private static func process(of name: String, in folder: String) -> pid_t? {
    let text = try? String(contentsOfFile: "\(folder)/\(name)/pid", encoding: .utf8)
    return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// Whether a process runs and is a server of a folder.
  private static func runs(_ process: pid_t, in folder: String) -> Bool {
    let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    return line?.contains(folder) == true
  }
}
