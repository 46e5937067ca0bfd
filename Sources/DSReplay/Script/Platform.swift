/// An operating system that `platform` names.
enum Platform: String, CaseIterable, Sendable {
  case linux, macos, windows

  static var names: [String] { allCases.map(\.rawValue) }

  /// The system for which the program was built.
  static var current: Platform {
    #if os(macOS)
      .macos
    #elseif os(Windows)
      .windows
    #else
      .linux
    #endif
  }

  /// The reason to skip commands that are for some platforms; nil on one of them.
  static func absence(of platforms: [Platform]) -> String? {
    if platforms.contains(current) { return nil }
    return "only on " + platforms.map(\.rawValue).joined(separator: ", ")
  }
}
