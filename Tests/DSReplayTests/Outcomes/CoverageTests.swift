import DSReplay
import Testing

/// The parts of sources that expectations assert.
@Suite struct CoverageTests {
  static let start = """
    let foods = simple [{name: Pie, kind: a}, {name: Tea, kind: b}, {name: Fig, kind: b}] | fetch
    #~ foods: {*}
    let kinds = sectioned foods key: kind sort: kind | fetch
    #~ kinds: {*}

    """

  static func outcome(_ text: String) async -> FileOutcome {
    var environment = ReplayEnvironment()
    environment.measuresCoverage = true
    return await ReplayRunner(environment).run(ReplayScript(start + text, path: "t.ds"))
  }

  /// `foods 2/3 1/1 name`: rows, sections and keys.
  static func text(_ outcome: FileOutcome) -> [String] {
    outcome.coverage.map {
      "\($0.name) \($0.rows.asserted)/\($0.rows.all) \($0.sections.asserted)/\($0.sections.all) "
        + $0.keys.joined(separator: ",")
    }
  }

  @Test(
    arguments: [
      ("", ["foods 0/3 0/1 ", "kinds 0/3 0/2 "]),
      (
        "object foods [0, 1]\n#| name: Tea\n#| kind: b\n",
        ["foods 1/3 1/1 name,kind", "kinds 0/3 0/2 "]
      ),
      ("expect foods[0, 2].name == \"Fig\"\n", ["foods 1/3 1/1 name", "kinds 0/3 0/2 "]),
      ("expect all kinds[1] where: kind == \"b\"\n", ["kinds 2/3 1/2 kind", "foods 0/3 0/1 "]),
      ("expect unique foods name\n", ["foods 3/3 1/1 name", "kinds 0/3 0/2 "]),
      ("titles kinds\n#| a\n#| b\n", ["kinds 0/3 2/2 ", "foods 0/3 0/1 "]),
      ("expect kinds.sectionTitles == [\"a\", \"b\"]\n", ["kinds 0/3 2/2 ", "foods 0/3 0/1 "]),
      ("objects kinds\n#~ name  kind\n#...\n", ["kinds 0/3 0/2 name,kind", "foods 0/3 0/1 "]),
      ("object kinds [0, 0]\n#~ name: {*}\n#...\n", ["kinds 1/3 1/2 name", "foods 0/3 0/1 "]),
      // Nothing is asserted by a command without expected output, or by one that fails.
      ("objects kinds\n", ["foods 0/3 0/1 ", "kinds 0/3 0/2 "]),
      ("expect foods[0, 2].name == \"Tea\"\n", ["foods 0/3 0/1 ", "kinds 0/3 0/2 "]),
    ] as [(String, [String])])
  func whatExpectationsReadIsAsserted(text: String, coverage: [String]) async {
    #expect(Self.text(await Self.outcome(text)) == coverage)
  }

  /// Any output would be as expected.
  @Test(arguments: [
    "objects foods\n#...\n", "titles kinds\n#~ {*}\n#~  {*} {*}\n", "objects foods\n#- zzz\n",
    "objects foods\n#~ {*}\n#...\n",
  ])
  func whatMatchesEverythingAssertsNothing(text: String) async {
    let outcome = await Self.outcome(text)
    #expect(Self.text(outcome) == ["foods 0/3 0/1 ", "kinds 0/3 0/2 "])
    #expect(outcome.unexpectedOutput.map(\.line) == [5])
  }

  @Test func ignoredKeysAreNotAsserted() async {
    let outcome = await Self.outcome(
      "object foods [0, 1]\n#% ignore: kind\n#| name: Tea\n#| kind: x\n")
    #expect(Self.text(outcome).first == "foods 1/3 1/1 name")
  }

  @Test func otherKeysAreListed() async {
    let outcome = await Self.outcome("expect foods[0, 2].name == \"Fig\"\n")
    #expect(outcome.coverage.map(\.otherKeys) == [["kind"], ["name", "kind"]])
  }

  @Test func commandsWithoutExpectedOutputAreListed() async {
    let outcome = await Self.outcome("count foods\ncount foods\n#| 3\nexpect 1 == 1\n")
    #expect(outcome.unexpectedOutput.map(\.line) == [5])
    #expect(outcome.unexpectedOutput.map(\.command) == ["count foods"])
  }

  @Test func coverageIsMeasuredOnlyOnRequest() async {
    let outcome = await ReplayRunner().run(ReplayScript(Self.start, path: "t.ds"))
    #expect(outcome.coverage.isEmpty && outcome.unexpectedOutput.isEmpty)
  }
}
