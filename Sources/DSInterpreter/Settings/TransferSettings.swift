import DataSources

/// The labels that limit the transfer of a response.
enum TransferSettings {
  static let all: [Setting<TransferLimits>] = [
    Setting(
      Label("timeout", seconds, "seconds for the whole response (60)", example: "5"), \.timeout,
      default: defaults.timeout
    ) { value, _ in try value.seconds() },
    Setting(
      Label("connectTimeout", seconds, "seconds for the connection (10)", example: "2"),
      \.connectTimeout, default: defaults.connectTimeout
    ) { value, _ in try value.seconds() },
    Setting(
      Label(
        "retries", .integer(0...100), "retries after temporary failures, at most 100 (2)",
        example: "0"),
      \.retries, default: defaults.retries
    ) { value, _ in try value.integer() },
    Setting(
      Label("redirects", .nonNegativeInteger, "maximum number of redirects (10)", example: "3"),
      \.redirects, default: defaults.redirects
    ) { value, _ in try value.integer() },
    Setting(
      Label(
        "bodySize", .nonNegativeInteger, "maximum number of bytes in a response (1 GiB)",
        example: "50000000"),
      \.bodySize, default: defaults.bodySize
    ) { value, _ in try value.integer() },
  ]

  private static let defaults = TransferLimits()
  private static let seconds = ArgumentType.seconds(atMost: 1_000_000)
}
