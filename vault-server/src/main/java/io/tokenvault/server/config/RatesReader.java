package io.tokenvault.server.config;

import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.limits.RateLimit;
import java.util.Optional;

/** Reads how many requests each may send. */
final class RatesReader {

  private static final int MAX_PER_MINUTE = 60_000_000;
  private static final int MAX_BURST = 1_000_000;

  /** What comes in ten seconds may come at once, if nothing else is said. */
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
