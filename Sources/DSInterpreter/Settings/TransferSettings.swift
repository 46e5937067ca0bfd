import DataSources

/// The labels that bound the transfer of a response.
enum TransferSettings {
  static let all: [Setting<TransferLimits>] = [
    Setting(
      Label("timeout", seconds, "seconds for the whole response (60)", example: "5"), \.timeout,
      default: usual.timeout
    ) { value, _ in try value.seconds() },
    Setting(
      Label("connectTimeout", seconds, "seconds for the connection (10)", example: "2"),
      \.connectTimeout, default: usual.connectTimeout
    ) { value, _ in try value.seconds() },
    Setting(
      Label(
        "retries", .nonNegativeInteger, "number of retries where a retry may help (2)",
        example: "0"),
      \.retries, default: usual.retries
    ) { value, _ in try value.integer() },
    Setting(
      Label("redirects", .nonNegativeInteger, "most redirects to follow (10)", example: "3"),
      \.redirects, default: usual.redirects
    ) { value, _ in try value.integer() },
    Setting(
      Label(
        "bodySize", .nonNegativeInteger, "most bytes of a response (1 GiB)", example: "50000000"),
      \.bodySize, default: usual.bodySize
    ) { value, _ in try value.integer() },
  ]

  private static let usual = TransferLimits()
  private static let seconds = ArgumentType.seconds(atMost: 1_000_000)
}
