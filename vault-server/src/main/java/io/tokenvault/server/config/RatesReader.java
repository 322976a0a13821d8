package io.tokenvault.server.config;

import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.limits.RateLimit;
import java.util.Optional;

/** Reads the rate limits of applications and of callers without a key. */
final class RatesReader {

  private static final int MAX_PER_MINUTE = 60_000_000;
  private static final int MAX_BURST = 1_000_000;

  /** Ratio of the rate per minute to the default burst: the requests of ten seconds. */
  private static final int SHARE_OF_BURST = 6;

  private final SettingValues values;

  RatesReader(SettingValues values) {
    this.values = values;
  }

  Rates read() {
    return new Rates(
        rate(Setting.APPLICATION_RATE_PER_MINUTE, Setting.APPLICATION_RATE_BURST),
        rate(Setting.ANONYMOUS_RATE_PER_MINUTE, Setting.ANONYMOUS_RATE_BURST));
  }

  /** Returns a rate limit; empty if no rate is configured. A burst alone is a problem. */
  private Optional<RateLimit> rate(Setting perMinute, Setting burst) {
    long rate = values.number(perMinute, 1, MAX_PER_MINUTE, 0);
    long atOnce = Math.min(MAX_BURST, Math.max(1, rate / SHARE_OF_BURST));
    long chosen = values.number(burst, 1, MAX_BURST, atOnce);
    if (values.text(perMinute).isEmpty() && values.text(burst).isPresent()) {
      values.problem(burst, "goes together with " + perMinute.variable());
    }
    return rate == 0 ? Optional.empty() : Optional.of(new RateLimit((int) rate, (int) chosen));
  }
}
