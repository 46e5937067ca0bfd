import FlyingFox
import Foundation

extension Routes {
  /// - `/redirect?times=N`: to itself with one less, at 0 to `/echo`; `code=` is the status (302).
  /// - `/loop`: to itself.
  /// - `/to?url=U`: to that URL, unchanged.
  static var redirections: [String: Route] {
    [
      "/redirect": { request in
        let times = request.number("times", else: 1)
        let code = request.number("code", else: 302)
        let next = times > 1 ? "/redirect?times=\(times - 1)&code=\(code)" : "/echo"
        return redirection(to: next, code: code)
      },
      "/loop": { _ in redirection(to: "/loop") },
      "/to": { request in redirection(to: request["url"] ?? "/echo") },
    ]
  }

  private static func redirection(to url: String, code: Int = 302) -> HTTPResponse {
    .text("elsewhere\n", status: status(code), headers: [HTTPHeader("Location"): url])
  }
}
