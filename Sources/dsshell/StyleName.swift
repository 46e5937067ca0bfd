import ArgumentParser
import DSRendering

/// The name of a style of rendering, as `--output` takes it.
struct StyleName: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard Styles.style(named: argument) != nil else { return nil }
    text = argument
  }

  var defaultValueDescription: String { text }
  static var allValueStrings: [String] { Styles.names }
}
