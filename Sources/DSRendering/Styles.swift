/// The styles there are; their names are what `mode` and `--output` take.
public enum Styles {
  public static let all: [any Style.Type] = [
    TableStyle.self, JSONStyle.self, JSONLinesStyle.self, CSVStyle.self, TSVStyle.self,
    MarkdownStyle.self, LineStyle.self,
  ]

  public static var names: [String] { all.map { $0.name } }

  /// The style of that name; nil when there is none.
  public static func style(named name: String) -> (any Style)? {
    all.first { $0.name == name }?.init()
  }
}
