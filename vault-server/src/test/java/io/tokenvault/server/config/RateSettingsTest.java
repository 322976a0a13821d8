package io.tokenvault.server.config;

import static io.tokenvault.server.config.ConfigurationTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.config.Configuration.Rates;
import io.tokenvault.server.limits.NodeRateLimits.RateLimit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RateSettingsTest {

  private static Rates rates(Map<String, String> environment) {
    return Configuration.from(environment).web().rates();
  }

  @Test
  void limitsAreAbsentByDefault() {
    assertThat(rates(Map.of()).application()).isEmpty();
    assertThat(rates(Map.of()).anonymous()).isEmpty();
  }

  @Test
  void eachLimitIsSetIndependently() {
    Rates rates =
        rates(
            Map.of(
                "VAULT_APPLICATION_RATE_PER_MINUTE", "600",
                "VAULT_APPLICATION_RATE_BURST", "7"));
    assertThat(rates.application()).contains(new RateLimit(600, 7));
    assertThat(rates.anonymous()).isEmpty();
    assertThat(rates(Map.of("VAULT_ANONYMOUS_RATE_PER_MINUTE", "60")).anonymous())
        .contains(new RateLimit(60, 10));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "12, 2", "60000000, 1000000"})
  void defaultBurstIsRateOfTenSeconds(String perMinute, int burst) {
    Map<String, String> environment = Map.of("VAULT_APPLICATION_RATE_PER_MINUTE", perMinute);
    assertThat(rates(environment).application()).map(RateLimit::burst).contains(burst);
  }

  @ParameterizedTest
  @CsvSource({
    "VAULT_APPLICATION_RATE_PER_MINUTE, 0, must be a whole number from 1 to 60000000",
    "VAULT_ANONYMOUS_RATE_PER_MINUTE, -1, must be a whole number from 1 to 60000000",
    "VAULT_ANONYMOUS_RATE_PER_MINUTE, 10/s, must be a whole number from 1 to 60000000",
    "VAULT_APPLICATION_RATE_BURST, 5, requires VAULT_APPLICATION_RATE_PER_MINUTE",
    "VAULT_ANONYMOUS_RATE_BURST, 5, requires VAULT_ANONYMOUS_RATE_PER_MINUTE",
    "VAULT_ANONYMOUS_RATE_BURST, many, must be a whole number from 1 to 1000000"
  })
  void invalidRateSettingIsRejected(String name, String value, String problem) {
    assertRefused(Map.of(name, value)).hasMessageContaining(name + " " + problem);
  }
}
