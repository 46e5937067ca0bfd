import DataSources
import DataTables
import Glibc
import Testing

@testable import DSReplay

@Suite struct ReplayTests {
  @Test func tryAll() async throws {
    let folder = #filePath.split(separator: "/").dropLast(2).reduce(into: "") { $0 += "/" + $1 } + "/DSInterpreterTests/Scripts/"
    var surroundings = ReplaySurroundings()
    surroundings.arguments = ["one", "two"]
    let dir = try #require(opendir(folder))
    var names: [String] = []
    while let e = readdir(dir) { names.append(withUnsafeBytes(of: e.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }) }
    for name in names.sorted() where name.hasSuffix(".ds") {
      let text = try TextFile.read(folder + name, cancellation: Cancellation())
      let outcome = await ReplayRunner(surroundings).run(ReplayScript(text, path: folder + name))
      for m in outcome.mistakes { print(m) }
      for f in outcome.failures { print(f.kind, f.picture.joined(separator: "\n")) }
      var update = ScriptUpdate()
      update.update(outcome)
      if outcome.hasFailed { print("UPDATE", name, update.sentence, update.refusals) }
      if outcome.hasFailed { print(outcome.failures.count) }
    }
    let text = try TextFile.read(folder + "../../DSReplayTests/Scripts/wrong-line.ds", cancellation: Cancellation())
    let outcome = await ReplayRunner(surroundings).run(ReplayScript(text, path: "wrong-line.ds"))
    print(outcome.failures[0].picture.joined(separator: "\n"))
    print(outcome.failures)
  }
}
