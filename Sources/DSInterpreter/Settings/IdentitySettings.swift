import DataSources

/// The labels by which a client identifies itself to a server, besides headers.
enum IdentitySettings {
  static let all: [Setting<ClientIdentity>] = [
    Setting(
      Label("user", .string, "user of the login", example: "ann"), \.user, default: nil
    ) { value, session in try await value.sentValue(in: &session) },
    Setting(
      Label("password", .string, "its password; never shown", example: "env API_PASSWORD"),
      \.password, default: nil
    ) { value, session in try await value.secretValue(in: &session) },
    Setting(
      Label(
        "auth", .choice(Choices("scheme of a login", ClientIdentity.Scheme.self, default: .basic)),
        example: "digest"),
      \.scheme, default: .basic
    ) { value, _ in try value.choice() },
    Setting(
      Label(
        "certificate", .path(.file), "certificate of the client, in PEM or PKCS #12",
        example: "client.pem"),
      \.certificate, default: nil
    ) { value, session in try await value.file(in: &session) },
    Setting(
      Label(
        "certificateKey", .path(.file), "its key, if another file has it", example: "client-key.pem"
      ),
      \.certificateKey, default: nil
    ) { value, session in try await value.file(in: &session) },
    Setting(
      Label(
        "keyPassword", .string, "password of the key; never shown", example: "env KEY_PASSWORD"),
      \.keyPassword, default: nil
    ) { value, session in try await value.secretValue(in: &session) },
  ]
}

extension Argument {
  fileprivate func file(in session: inout Session) async throws -> String {
    FilePath.resolve(try await string(in: &session), in: session.options.folder)
  }
}
