import DSInterpreter
import DSReplay
import DataTables
import Foundation
import Testing

@Suite struct PropertyTests {
  static let start = """
    let foods = simple [{name: Pie, kind: a, n: 1, day: 2024-01-31, ok: true, x: 1.5}, \
    {name: Tea, kind: b, n: 2, day: 2024-02-01, ok: false, x: 2.5}, \
    {name: Fig, kind: b, n: 3, day: null, ok: null, x: null}] | fetch
    let kinds = sectioned foods key: kind sort: kind, name | fetch

    """

  static func run(_ section: String, seed: UInt64? = nil) async -> FileOutcome {
    let seed = seed.map { "#% seed \($0)\n" } ?? ""
    return await ReplayRunner().run(ReplayScript(script(seed + section), path: "t.ds"))
  }

  static func script(_ section: String) -> String {
    start + "#% section \"property\"\n#% property 60\n" + section
  }

  /// The edits of a failure, as printed.
  static func edits(_ failure: CommandFailure) -> [String] {
    failure.picture.filter { $0.hasPrefix("     │   ") }
      .map { $0.replacingOccurrences(of: "     │   ", with: "") }
  }

  @Test func directivesInTheSectionTakeEffectInEachTrial() async {
    let outcome = await Self.run(
      """
      fetch kinds
      #% set five = 5
      expect five == 5 and kinds.numberOfObjects == foods.numberOfObjects
      """)
    #expect(outcome.problems == [])
  }

  @Test(arguments: [0, 1, 2, 3])
  func whatHoldsForAllContentsPasses(seed: UInt64) async {
    let outcome = await Self.run(
      """
      fetch kinds
      expect kinds.numberOfObjects == foods.numberOfObjects
      expect sorted kinds by: kind, name
      expect kinds.numberOfSections <= kinds.numberOfObjects
      """, seed: seed)
    #expect(outcome.problems == [])
  }

  @Test(arguments: [
    "expect foods.numberOfObjects == 3", "expect foods.numberOfObjects >= 3",
    "expect foods.numberOfObjects <= 3", "expect kinds.numberOfSections == 2",
    "fetch kinds\nexpect kinds.numberOfSections < 3",
    "fetch foods\nexpect foods.error == null", "expect unique foods n",
    "expect all foods where: n > 0 or n == null", "expect sorted foods by: n",
  ])
  func oneEditBreaksIt(section: String) async throws {
    let outcome = await Self.run(section)
    let failure = try #require(outcome.failures.first)
    #expect(failure.kind == .property)
    #expect(failure.message.contains("with seed 0: 1 edit before line"))
    let edits = Self.edits(failure)
    #expect(!edits.isEmpty)
    // The printed commands break the expectation when they are typed before the line that it names.
    let digits = failure.message.split(separator: "before line ")[1].prefix { $0.isNumber }
    let line = try #require(Int(digits))
    var lines = Self.script(section).replacing("#% property 60", with: "# once")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.insert(contentsOf: edits, at: line - 1)
    let again = await ReplayRunner().run(
      ReplayScript(lines.joined(separator: "\n"), path: "t.ds"))
    #expect(again.failures.contains { $0.kind == .expectation }, "\(edits)")
  }

  @Test func severalEditsAreNeeded() async throws {
    let outcome = await Self.run("expect foods.numberOfObjects < 5")
    let failure = try #require(outcome.failures.first)
    #expect(failure.message.contains(": 2 edits before line"))
    #expect(Self.edits(failure).allSatisfy { $0.hasPrefix("insert ") })
  }

  @Test func theSeedDeterminesTheRuns() async {
    let section = "expect kinds.numberOfSections == 2"
    let first = await Self.run(section, seed: 5)
    #expect(await Self.run(section, seed: 5).failures == first.failures)
    var others: Set<[String]> = []
    for seed in 6..<12 as Range<UInt64> {
      others.insert(await Self.run(section, seed: seed).failures.flatMap(Self.edits))
    }
    #expect(others.count > 1)
  }

  @Test func theEditsOfASeedAreTheSameOnEveryMachine() async throws {
    let failure = try #require(
      await Self.run("expect kinds.numberOfSections == 2", seed: 1).failures.first)
    #expect(Self.edits(failure) == ["move kinds [0, 0] to: [1, 1]"])
  }

  @Test func outputThatIsNotAnExpectMayChange() async {
    let outcome = await Self.run(
      "count foods\n#| 3\nobject foods [0, 2]\n#...\nexpect 1 == 1\ncount foods")
    #expect(outcome.problems == [])
  }

  @Test func aPropertyRunsAlthoughACommandFailsAsExpected() async {
    let outcome = await Self.run(
      """
      expect 1 == 2
      #% xfail "a known bug"
      expect foods.numberOfObjects == 3
      """)
    #expect(outcome.failures.map(\.kind) == [.property])
    let held = await Self.run(
      """
      expect 1 == 2
      #% xfail "a known bug"
      expect foods.numberOfObjects < 100
      """)
    #expect(held.problems == [])
    #expect(held.sections.last?.status == .failedAsExpected)
  }

  static let needsCheck = "`property` needs an `expect` or a `require` in its section"

  @Test(
    arguments: [
      ("#% property 5\nprint 1\n", needsCheck),
      ("#% property 5\nprint 1\n#% section \"s\"\nprint 2\n", needsCheck),
      ("#% property 5\n", needsCheck),
      (
        "#% property 5\nprint 1\nexpect 1 == 1\n#% skip \"later\"\n", needsCheck + " without `skip`"
      ),
      ("#% property 5\nprint 1\n#% section \"s\"\nexpect 1 == 1\n", nil),
      ("#% property 5\n#% skip \"later\"\nexpect 1 == 1\n", nil),
    ] as [(String, String?)])
  func aPropertyNeedsACheck(text: String, message: String?) {
    let script = ReplayScript(text, path: "t.ds")
    #expect(script.mistakes.map(\.message) == (message.map { [$0] } ?? []))
  }

  @Test func editsBelowTheLastCheckDoNotCount() async {
    let outcome = await ReplayRunner().run(
      ReplayScript(
        """
        #% property 30
        expect 1 == 1
        let foods = simple [{n: 1}] | fetch
        count foods
        """, path: "t.ds"))
    #expect(
      outcome.failures.map(\.message) == [
        "`property` needs a source with objects that the section names above its last check and "
          + "that can be edited"
      ])
    #expect(outcome.failures.first?.picture.last == "     rerun dsshell test t.ds")
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func oneRunMakesAnEdit(seed: UInt64) async {
    let text =
      Self.start + "#% section \"s\"\n#% seed \(seed)\n#% property 1\n"
      + "expect foods.numberOfObjects >= 0\n"
    let outcome = await ReplayRunner().run(ReplayScript(text, path: "t.ds"))
    #expect(outcome.failures.map(\.message) == [])
  }

  @Test func theRunsLeaveTheSessionOfTheScriptAlone() async {
    let outcome = await Self.run(
      "expect foods.numberOfObjects < 100\n#% section \"below\"\ncount foods\n#| 3\n")
    #expect(outcome.problems == [])
  }

  @Test func aPropertyNeedsASourceThatCanBeEdited() async {
    let text =
      Self.start + "save foods foods.sqlite table: foods\nlet shop = open foods.sqlite\n"
      + "let stored = fetchedResults shop.foods sort: name | fetch\n#% section \"s\"\n"
      + "#% property 9\nexpect stored.numberOfObjects == 3\n"
    let refused = await ReplayRunner().run(ReplayScript(text, path: "t.ds"))
    #expect(
      refused.failures.first?.message.hasPrefix(
        "`property` cannot edit the sources that the section names: ") == true)
    #expect(refused.failures.map(\.line) == [7])
  }
}
