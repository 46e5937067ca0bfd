import DisplayText
import Foundation
import FoundationXML
import Pictures
import TestSupport
import Testing

@Suite struct DrawingTests {
  private static let parts = [
    "a", "Pie", "<b>", "&amp;", "\"", "'", "\n", "\u{1B}[31m", "\u{202E}", "#", ";", "]", "`", "\\",
    "-->", "\u{200F}", "\u{FFFF}", "1. ", "- ", "*", "_", "日本", "e\u{301}", "\u{0}", "\u{FFFE}",
    "%%", "</svg>", "..", " ", "👩‍🚀",
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    (0..<random.below(6)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  /// Random pictures, whose texts have markup, controls and characters with a meaning in a language.
  private static func picture(_ random: inout SplitMix64) -> Picture {
    let note = random.below(2) == 0 ? nil : text(&random)
    let kind = random.below(5)
    if kind >= 2 { return Picture(text(&random), list(kind, &random), note: note) }
    if kind == 0 {
      let bars = (0..<random.below(8)).map { _ in
        Picture.Bar(text(&random), length: random.below(3) * random.below(10_000))
      }
      return Picture(text(&random), .bars(bars), note: note)
    }
    let boxes = (0..<random.below(8) + 1).map { _ in
      Picture.Box((0..<random.below(3) + 1).map { _ in text(&random) })
    }
    let arrows = (0..<random.below(10)).map { _ in
      Picture.Arrow(from: random.below(boxes.count), to: random.below(boxes.count))
    }
    return Picture(text(&random), .boxes(boxes, arrows: arrows), note: note)
  }

  private static func list(_ kind: Int, _ random: inout SplitMix64) -> Picture.Content {
    switch kind {
    case 2:
      let lines = (0..<random.below(8)).map { _ -> Picture.TableLine in
        let kinds: [Picture.TableLine.Kind] = [.header, .row, .placeholder, .gap]
        let marks = Picture.Mark.Kind.allCases
        return Picture.TableLine(
          kinds[random.below(4)], text(&random), detail: text(&random),
          mark: random.below(3) > 0
            ? nil : Picture.Mark(marks[random.below(marks.count)], text: text(&random)))
      }
      return .table(
        Picture.TableView(lines, index: (0..<random.below(5)).map { _ in text(&random) }))
    case 3:
      let lanes = (0..<random.below(5) + 1).map { _ in Picture.Lane(text(&random)) }
      let messages = (0..<random.below(8)).map { _ -> Picture.Message in
        let start = random.below(lanes.count)
        let ends = lanes.indices.filter { $0 != start && random.below(2) == 0 }
        return Picture.Message(
          from: start, to: ends, text(&random), detail: text(&random),
          isFailure: random.below(4) == 0)
      }
      return .lanes(lanes, messages: messages)
    default:
      return .columns(
        (0..<random.below(5)).map { _ in
          Picture.Column(
            text(&random),
            // Notes are broken between words.
            notes: (0..<random.below(2)).map { _ in parts[random.below(parts.count - 2)] }
              .filter { $0 != " " },
            items: (0..<random.below(5)).map { _ in
              Picture.Column.Item(
                text(&random), detail: text(&random), isDifferent: random.below(2) == 0)
            })
        })
    }
  }

  /// The same content with `a` for each text that is not empty.
  private static func plain(_ content: Picture.Content) -> Picture.Content {
    func plain(_ text: String) -> String { text.isEmpty ? "" : "a" }
    switch content {
    case .bars(let bars): return .bars(bars.map { Picture.Bar("a", length: $0.length) })
    case .boxes(let boxes, let arrows):
      return .boxes(boxes.map { Picture.Box($0.lines.map { _ in "a" }) }, arrows: arrows)
    case .table(let table):
      let lines = table.lines.map { line in
        Picture.TableLine(
          line.kind, plain(line.title), detail: plain(line.detail),
          mark: line.mark.map { Picture.Mark($0.kind, text: plain($0.text)) })
      }
      return .table(Picture.TableView(lines, index: table.index.map(plain)))
    case .lanes(let lanes, let messages):
      return .lanes(
        lanes.map { _ in Picture.Lane("a") },
        messages: messages.map {
          Picture.Message(
            from: $0.start, to: $0.ends, plain($0.text), detail: plain($0.detail),
            isFailure: $0.isFailure)
        })
    case .columns(let columns):
      return .columns(
        columns.map { column in
          Picture.Column(
            "a", notes: column.notes.map(plain),
            items: column.items.map {
              Picture.Column.Item(
                plain($0.label), detail: plain($0.detail), isDifferent: $0.isDifferent)
            })
        })
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xFFFE...0xFFFF:
      true
    default: false
    }
  }

  @Test(arguments: 1...200)
  func textsAddNoLinesAndNoControls(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let picture = Self.picture(&random)
    var plain = picture
    plain.title = "a"
    plain.note = picture.note.map { _ in "a" }
    plain.content = Self.plain(picture.content)
    for drawing in Drawings.all {
      let document = drawing.init().document(picture)
      #expect(document.hasSuffix("\n"), "\(drawing.name), seed \(seed)")
      #expect(
        !document.unicodeScalars.contains(where: Self.isControl), "\(drawing.name), seed \(seed)")
      let lines = document.split(separator: "\n", omittingEmptySubsequences: false).count
      let expected = drawing.init().document(plain)
        .split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines == expected, "\(drawing.name), seed \(seed)")
    }
    // The characters with a meaning are those of the drawing alone.
    for (drawing, marks) in [
      (SVGDrawing() as any Drawing, "<>\"'"), (HTMLDrawing(), "<>\"'"),
      (MermaidDrawing(), "\"`;%_"),
      (DOTDrawing(), "<>\""),
    ] {
      for mark in marks {
        #expect(
          Self.count(mark, drawing, picture) == Self.count(mark, drawing, plain),
          "\(mark) in \(type(of: drawing).name), seed \(seed)")
      }
    }
  }

  /// The number of marks in a document that are not in an escape.
  private static func count(_ mark: Character, _ drawing: any Drawing, _ picture: Picture) -> Int {
    var document = drawing.document(picture)
    if drawing is DOTDrawing {
      document = document.replacing("\\\\", with: "").replacing("\\\"", with: "")
      // Strings may contain these as they are.
      if case .boxes = picture.content, mark != "\"" { return 0 }
      if let end = document.firstRange(of: "labelloc") {
        document = String(document[end.upperBound...])
      }
    }
    if drawing is MermaidDrawing { document = document.replacing(/#[0-9]+;/, with: "") }
    return document.count { $0 == mark }
  }

  private final class Elements: NSObject, XMLParserDelegate {
    var names: [String] = []
    var title = ""

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      names.append(name)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if names.last == "title" { title += text }
    }
  }

  @Test(arguments: 1...200)
  func imagesAreXMLWithTheElementsOfTheDrawing(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let picture = Self.picture(&random)
    let elements = Elements()
    let parser = XMLParser(data: Data(SVGDrawing().document(picture).utf8))
    parser.delegate = elements
    #expect(parser.parse(), "seed \(seed)")
    let known: Set = ["svg", "title", "style", "text", "rect", "path", "circle"]
    #expect(elements.names.allSatisfy(known.contains))
    let rectangles =
      switch picture.content {
      case .bars(let bars): bars.count
      case .boxes(let boxes, _): boxes.count
      case .table(let table):
        // The view, and the headers and the marks in it.
        1 + table.lines.count { $0.mark != nil || $0.kind == .header }
      case .lanes(let lanes, _): lanes.count
      case .columns(let columns): columns.reduce(0) { $0 + $1.items.count }
      }
    #expect(elements.names.filter { $0 == "rect" }.count == rectangles)
  }

  @Test(arguments: 1...50)
  func anElementHasNoStylesOfItsOwn(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let picture = Self.picture(&random)
    let document = SVGDrawing().document(picture)
    let element = SVGDrawing().element(picture)
    #expect(!element.contains("<style>"))
    let styled = document.replacingOccurrences(
      of: " xmlns=\"http://www.w3.org/2000/svg\"", with: ""
    )
    .replacingOccurrences(of: "<style>\n" + SVGDrawing.style + "</style>\n", with: "")
    #expect(styled == element, "seed \(seed)")
  }

  /// All texts are replaced, and what was drawn for them stays.
  @Test(arguments: 1...200)
  func mappedTextsReplaceAllOthers(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let picture = Self.picture(&random)
    #expect(SVGDrawing().document(picture.mapTexts { $0 }) == SVGDrawing().document(picture))
    let mapped = SVGDrawing().element(picture.mapTexts { _ in "M" })
    for text in mapped.matches(of: /<(?:text|title)[^>]*>([^<]*)</).map(\.output.1) {
      // Messages are drawn with their detail, bars with their numbers.
      #expect(text.allSatisfy { "M 0123456789".contains($0) }, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: [
    ("1. Pie", "1#46; Pie"), ("12) Pie", "12#41; Pie"), ("- Pie", "#45; Pie"), ("+", "#43;"),
    ("*Pie*", "#42;Pie#42;"), ("a_b", "a#95;b"), ("1.5", "1#46;5"), ("a - b", "a - b"),
  ])
  func labelsOfMermaidAreNotMarkdown(label: String, written: String) {
    let picture = Picture("a", .boxes([Picture.Box([label])], arrows: []))
    #expect(MermaidDrawing().document(picture).contains("b0[\"\(written)\"]"))
  }

  @Test func labelsWithMarkupHaveNoBackslash() {
    let picture = Picture("a", .bars([.init("C:\\new\n", length: 1)]))
    #expect(DOTDrawing().document(picture).contains(">C:&#92;new&#92;n</td>"))
  }

  @Test func barsHaveTheLengthOfTheirNumbers() {
    let picture = Picture(
      "sizes", .bars([.init("A", length: 40), .init("Long", length: 10), .init("", length: 0)]),
      note: "… 2 more")
    #expect(
      TextDrawing(width: 30).lines(picture) == [
        "A     40  ████████████████████", "Long  10  █████", "       0", "… 2 more",
      ])
  }

  @Test func aSmallBarIsNotEmpty() {
    let picture = Picture("sizes", .bars([.init("A", length: 1), .init("B", length: 1_000_000)]))
    #expect(TextDrawing(width: 30).lines(picture).first == "A        1  ▏")
    #expect(SVGDrawing().document(picture).contains("width=\"1\""))
  }

  @Test func aBoxWithSeveralArrowsIsDrawnOnce() {
    let picture = Picture(
      "tree",
      .boxes(
        ["all", "a", "b", "c"].map { Picture.Box([$0, "\($0) kind"]) },
        arrows: [
          .init(from: 0, to: 1), .init(from: 0, to: 2), .init(from: 1, to: 3),
          .init(from: 2, to: 3),
        ]))
    #expect(
      TextDrawing().lines(picture) == [
        "all  all kind", "├ a  a kind", "│ └ c  c kind", "└ b  b kind", "  └ c  as above",
      ])
    #expect(
      DOTDrawing().document(picture) == """
        digraph {
          label="tree" labelloc=t
          node [shape=box style=rounded]
          b0 [label="all\\nall kind"]
          b1 [label="a\\na kind"]
          b2 [label="b\\nb kind"]
          b3 [label="c\\nc kind"]
          b0 -> b1
          b0 -> b2
          b1 -> b3
          b2 -> b3
        }

        """)
  }

  private static let view = Picture(
    "preview",
    .table(
      Picture.TableView(
        [
          .init(.header, "A", detail: "2"), .init(.row, "Apple", detail: "fruit"),
          .init(.row, "Apricot", mark: .init(.inserted)), .init(.placeholder, "page 2"),
        ], index: ["A", Picture.TableView.bullet])))

  @Test func aTableViewHasItsIndexInTheMiddleOfTheEdge() {
    #expect(
      TextDrawing().lines(Self.view) == [
        "┌─────────────────────────────────┐",
        "│   A              2              │",
        "│     Apple    fruit            A │",
        "│ +   Apricot         inserted  • │",
        "│     page 2                      │",
        "└─────────────────────────────────┘",
      ])
  }

  @Test(arguments: [1, 4, 12, 30, 200]) func theLinesOfATableViewHaveOneWidth(width: Int) {
    for seed in 1...100 {
      var random = SplitMix64(seed: UInt64(seed))
      guard case .table(let table) = Self.list(2, &random) else { return }
      let framed = TextDrawing(width: width).lines(Picture("a", .table(table)))
      #expect(Set(framed.map(\.displayWidth)).count == 1, "\(framed), seed \(seed)")
      let screen = TextDrawing(width: width).screen(table)
      #expect(Set(screen.map(\.displayWidth)).count <= 1, "\(screen), seed \(seed)")
    }
  }

  @Test func lanesShowWhichLaneSendsAMessageToWhich() {
    let picture = Picture(
      "events",
      .lanes(
        ["delegate", "letters", "foods"].map { Picture.Lane($0) },
        messages: [
          .init(from: 2, to: [1], "will"), .init(from: 2, to: [0, 1], "failed", isFailure: true),
          .init(from: 2, to: [], "page", detail: "100 objects"),
        ]))
    #expect(
      TextDrawing().lines(picture) == [
        "    delegate  letters    foods",
        "1      │         ◀─────────┤       will",
        "2      ◀─────────◀─────────┤       failed",
        "3      │         │         ●       page 100 objects",
      ])
    #expect(
      MermaidDrawing().document(picture) == """
        sequenceDiagram
          accTitle: events
          participant l0 as delegate
          participant l1 as letters
          participant l2 as foods
          l2->>l1: will
          l2-xl0: failed
          l2-xl1: failed
          Note over l2: page 100 objects

        """)
  }

  @Test func listsBeginInTheSameLineAndMarkDifferences() {
    let picture = Picture(
      "modes",
      .columns([
        .init(
          "runs", notes: ["2 sections"],
          items: [.init("A", detail: "1"), .init("B", detail: "10", isDifferent: true)]),
        .init("fixed", notes: ["refused: add a list of all titles"], items: []),
      ]))
    #expect(
      TextDrawing(width: 40).lines(picture) == [
        "runs         fixed", "2 sections   refused: add a", "             list of all titles",
        "  A   1", "* B  10",
      ])
    #expect(MermaidDrawing().document(picture).contains("g0b1[\"B, 10 #42;\"]"))
  }

  @Test func barsOfADiagramBeginAtZeroAndHaveLabelsOfTheirOwn() {
    let bars = ["b", "a", "b"].map { Picture.Bar($0, length: 3) }
    #expect(
      MermaidDrawing().document(Picture("n of x", .bars(bars), note: "… 1 more")) == """
        xychart-beta horizontal
          title "n of x (… 1 more)"
          x-axis ["b", "a", "b (2)"]
          y-axis 0 --> 3
          bar [3, 3, 3]

        """)
    #expect(MermaidDrawing().document(Picture("x", .bars([]))).contains("bar [0]"))
  }

  @Test func drawingsAreFoundByTheirNames() {
    for drawing in Drawings.all { #expect(Drawings.named(drawing.name)?.name == drawing.name) }
    #expect(Drawings.named("png") == nil)
  }
}
