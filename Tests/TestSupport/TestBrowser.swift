import Foundation
package import Testing

/// The browser for tests of pages.
package enum TestBrowser {
  /// Chromium; nil if it is not installed.
  package static let path: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test or the suite unless a browser is installed.
  package static var requiresBrowser: Self {
    .enabled(if: TestBrowser.path != nil, "needs Chromium: apt-get install chromium")
  }
}
