import DSRendering
import DataSources
import DisplayText
import Testing

@Suite struct ProgressLineTests {
  private let people = Progress.Report(
    "people.csv", unit: .bytes, completed: 104_900_000, total: 190_629_418,
    elapsed: .milliseconds(400))

  private func text(
    _ report: Progress.Report, _ width: Int? = 120, hasColor: Bool = false
  ) -> String? {
    ProgressLine(report).text(for: TerminalTraits(width: width, hasColor: hasColor))
  }

  @Test func aLoadShowsItsProgress() {
    #expect(
      text(people)
        == "people.csv  ███████████░░░░░░░░░  55%  104 of 190 MB  262 MB/s  Ctrl-C cancels")
  }

  @Test func withoutAWidthTheLineHas80Cells() {
    #expect(text(people, nil) == text(people, 80))
  }

  @Test func theRestOfTheBarAndTheHintAreDim() {
    #expect(
      text(people, hasColor: true)
        == "people.csv  ███████████\u{1B}[2m░░░░░░░░░\u{1B}[0m  55%  104 of 190 MB  262 MB/s  "
        + "\u{1B}[2mCtrl-C cancels\u{1B}[0m")
  }

  @Test(
    arguments: [
      (83, "people.csv  ███████████░░░░░░░░░  55%  104 of 190 MB  262 MB/s  Ctrl-C cancels"),
      (75, "people.csv  ███████████░░░░░░░░░  55%  104 of 190 MB  Ctrl-C cancels"),
      (60, "people.csv  ███████████░░░░░░░░░  55%  104 of 190 MB"),
      (50, "people.csv  ███████████░░░░░░░░░  55%"),
      (30, "people.csv  55%"),
      (14, "people.…  55%"), (8, "p…  55%"), (6, "55%"), (4, "55%"), (3, nil), (1, nil), (0, nil),
    ] as [(Int, String?)])
  func aNarrowTerminalOmitsTheLeastImportantPartsFirst(width: Int, expected: String?) {
    #expect(text(people, width) == expected)
  }

  @Test func aLongNameIsShortenedFirst() {
    var report = people
    report.name = String(repeating: "漢字", count: 30) + ".csv"
    #expect(
      text(report, 91)
        == "漢字漢字漢字漢字漢字…  ███████████░░░░░░░░░  55%  104 of 190 MB  262 MB/s  Ctrl-C cancels")
    #expect(text(report, 30) == "漢字漢字漢字漢字漢字漢…  55%")
    // A wide character needs two cells.
    #expect(text(report, 10) == "漢…  55%")
  }

  @Test func controlCharactersOfTheNameAreEscaped() {
    let report = Progress.Report("fetch  a\n\t\u{1B}[31mb", elapsed: .seconds(2))
    #expect(text(report) == "fetch a \\u{1b}[31mb  2.0 s  Ctrl-C cancels")
  }

  @Test func theSecretsOfURLsInACommandAreNotShown() {
    let report = Progress.Report(
      "remote http://ann:pa55@h/?token=abc | fetch", elapsed: .seconds(2))
    #expect(
      text(report)
        == "remote http://REDACTED@h/?token=REDACTED | fetch  2.0 s  Ctrl-C cancels")
  }

  @Test func shortWorkShowsNoProgress() {
    var report = people
    report.age = .milliseconds(299)
    #expect(text(report) == nil)
    report.age = .milliseconds(300)
    #expect(text(report) != nil)
  }

  @Test func aNewPartOfLongWorkIsShownImmediately() {
    let report = Progress.Report(
      "b.csv", unit: .bytes, completed: 0, total: 20_000_000, elapsed: .zero, age: .seconds(3))
    #expect(text(report) == "b.csv  ░░░░░░░░░░░░░░░░░░░░   0%   0 of 20 MB  Ctrl-C cancels")
  }

  @Test func canceledWorkIsMarked() {
    let line = ProgressLine(people, isCancelled: true).text(for: TerminalTraits(width: 120))
    #expect(line?.hasSuffix("  262 MB/s  canceling …") == true)
  }

  @Test(arguments: [
    (Duration.milliseconds(1_290), "1.2 s"), (.milliseconds(59_999), "59.9 s"),
    (.seconds(60), "1 min 00 s"), (.seconds(125), "2 min 05 s"),
    (.seconds(6_000_000), "100,000 min 00 s"),
  ])
  func withoutACountTheTimeIsShown(elapsed: Duration, expected: String) {
    #expect(
      text(Progress.Report("sorting 5 objects", elapsed: elapsed))
        == "sorting 5 objects  \(expected)  Ctrl-C cancels")
  }

  @Test func withoutATotalTheBarIsOmitted() {
    var report = Progress.Report(
      "slow.csv", unit: .bytes, completed: 0, elapsed: .milliseconds(2_000))
    #expect(text(report) == "slow.csv  2.0 s  Ctrl-C cancels")
    report.completed = 3_800_000
    #expect(text(report) == "slow.csv  3.8 MB  1.9 MB/s  2.0 s  Ctrl-C cancels")
    #expect(text(report, 20) == "slow.csv  2.0 s")
  }

  @Test(
    arguments: [
      (.milliseconds(900), ""), (.seconds(1), "  1 s left"), (.seconds(9), "  8 s left"),
      (.seconds(110), "  90 s left"), (.seconds(1_100), "  15 min left"),
    ] as [(Duration, String)])
  func theRemainingTimeFollowsFromTheRate(elapsed: Duration, left: String) {
    var report = people
    report.elapsed = elapsed
    // 104.9 of 190.6 million bytes are done.
    #expect(text(report)?.hasSuffix("/s\(left)  Ctrl-C cancels") == true, "\(text(report) ?? "")")
    report.total = report.completed
    #expect(text(report)?.contains("left") == false)
  }

  @Test(arguments: [0, -5, 3_000_000]) func anImpossibleTotalIsIgnored(total: Int) {
    let report = Progress.Report(
      "a.csv", unit: .bytes, completed: 3_800_000, total: total, elapsed: .seconds(2))
    #expect(text(report) == "a.csv  3.8 MB  1.9 MB/s  2.0 s  Ctrl-C cancels")
  }

  @Test func rowsAndPagesAreCountedWithNouns() {
    #expect(
      text(
        Progress.Report(
          "orders", unit: .rows, completed: 1_250_000, total: 5_000_000, elapsed: .seconds(1)))
        == "orders  █████░░░░░░░░░░░░░░░  25%  1,250,000 of 5,000,000 rows  1,250,000 rows/s  "
        + "3 s left  Ctrl-C cancels")
    #expect(
      text(Progress.Report("posts", unit: .pages, completed: 1, elapsed: .seconds(1)))
        == "posts  1 page  1.0 s  Ctrl-C cancels")
  }

  @Test func theLargestNumbersDoNotOverflow() {
    let largest = Progress.Report(
      "x", unit: .bytes, completed: .max, total: .max, elapsed: .seconds(Int64.max))
    #expect(
      text(largest) == "x  ████████████████████  100%  9.2 of 9.2 EB  1 B/s  Ctrl-C cancels")
    let fast = Progress.Report(
      "x", unit: .bytes, completed: .max, elapsed: .milliseconds(300))
    #expect(text(fast) == "x  9.2 EB  0.3 s  Ctrl-C cancels")
    let long = Progress.Report("x", elapsed: .seconds(Int64.max))
    #expect(text(long)?.hasPrefix("x  ") == true)
  }

  @Test(arguments: 0...100) func everyLineIsNarrowerThanTheTerminal(width: Int) {
    let reports = [
      people, Progress.Report("漢字 é 👨‍👩‍👧‍👦 and more", elapsed: .seconds(1)),
      Progress.Report("posts", unit: .pages, completed: 12, elapsed: .seconds(100)),
    ]
    for report in reports {
      #expect((text(report, width) ?? "").displayWidth <= max(0, width - 1))
    }
  }
}
