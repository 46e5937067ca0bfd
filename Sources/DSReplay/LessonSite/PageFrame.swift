import Pictures

/// The frame of all pages of a site: a head with the styles, and places for navigation and content.
///
/// A page runs no script and requests nothing, which its policy also forbids.
struct PageFrame {
  /// The beginning of each page, by which the pages of an earlier run are recognized.
  static let mark = mark(of: "lessons site")

  static func mark(of command: String) -> String {
    "<!DOCTYPE html>\n<!-- written by dsshell: \(command) -->\n"
  }

  let title: String
  /// The command that writes the page.
  var command = "lessons site"
  /// The navigation above the content.
  var top: Markup = ""
  /// The navigation below it.
  var bottom: Markup = ""

  func document(_ content: Markup) -> String {
    let page: Markup = """
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <style>
      \(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to the text</a>
      \(top)<main id="content" tabindex="-1">
      \(content)</main>
      \(bottom)</body>
      </html>

      """
    return Self.mark(of: command) + page.text
  }

  private static let style = Markup(
    verbatim: String(decoding: PackageResources.site_css, as: UTF8.self) + SVGDrawing.style)
}
