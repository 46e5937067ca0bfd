import Foundation
import Testing

@testable import DSReplay

@Suite struct FailedTestsTests {
  private let path = NSTemporaryDirectory() + "/failed-\(UUID().uuidString)/a/list.jsonl"

  @Test func failedTestsAreStoredForTheNextRun() {
    var tests = FailedTests(path: path)
    #expect(tests.names == [])
    tests.replace(run: ["a", "b", "c d\n"], failed: ["b", "c d\n"])
    #expect(FailedTests(path: path).names == ["b", "c d\n"])
    tests.replace(run: ["b"], failed: [])
    #expect(FailedTests(path: path).names == ["c d\n"])
  }

  @Test func aTestThatRanInPartIsKept() {
    var tests = FailedTests(path: path)
    tests.replace(run: ["a"], failed: ["a", "b"])
    tests.replace(run: [], failed: ["b"])
    #expect(FailedTests(path: path).names == ["a", "b"])
  }

  @Test func namesAreNormalized() {
    var tests = FailedTests(path: path)
    tests.replace(run: ["./c:5.ds", "a//b.ds:3"], failed: ["./c:5.ds", "a//b.ds:3"])
    #expect(tests.names == ["c:5.ds", "a/b.ds:3"])
    tests.replace(run: ["c:5.ds", "./a/b.ds:3"], failed: [])
    #expect(FailedTests(path: path).names == [])
  }

  @Test func aRunAtTheSameTimeKeepsItsTests() {
    var first = FailedTests(path: path)
    var second = FailedTests(path: path)
    first.replace(run: ["a"], failed: ["a"])
    second.replace(run: ["b"], failed: ["b"])
    #expect(second.names == ["a", "b"])
    #expect(FailedTests(path: path).names == ["a", "b"])
  }

  @Test func aScriptThatPassesRemovesItsLines() {
    var tests = FailedTests(path: path)
    tests.replace(run: [], failed: ["a.ds:3", "b.ds:3"])
    tests.replace(run: ["a.ds"], failed: [])
    #expect(FailedTests(path: path).names == ["b.ds:3"])
  }

  @Test func aMalformedListIsEmpty() throws {
    var tests = FailedTests(path: path)
    tests.replace(run: [], failed: ["a"])
    try Data("{]\n3\n\"x\"\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(FailedTests(path: path).names == ["x"])
    try Data([0xFF]).write(to: URL(fileURLWithPath: path))
    #expect(FailedTests(path: path).names == [])
  }

  @Test func theEnvironmentDeterminesTheCache() {
    #expect(FailedTests(environment: { _ in nil }) == nil)
    let home = FailedTests(environment: { $0 == "HOME" ? "/nonexistent" : nil })
    #expect(home?.path.hasPrefix("/nonexistent/.cache/dsshell/failed-") == true)
    let xdg = FailedTests(environment: { $0 == "XDG_CACHE_HOME" ? "/x" : "/y" })
    #expect(xdg?.path.hasPrefix("/x/dsshell/failed-") == true)
  }
}
