import Glibc

/// The certificates of those who are trusted, where the environment names others than the system's.
enum TrustedCertificates {
  /// As the program curl has them, the first that is not empty; libcurl itself heeds neither.
  private static let variables = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]

  /// The path of a file in PEM; nil for the system's.
  static func file(
    _ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> String? {
    variables.lazy.compactMap(variable).first { !$0.isEmpty }
  }
}
