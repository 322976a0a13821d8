package io.tokenvault.ports.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the memory that {@link MemoryBudget} assumes for parsed JSON. */
final class MemoryCostOfJsonTest {

  private static long cost(String json) {
    return MemoryBudget.costOfJson(json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '!',
      value = {
        "1 | 1",
        "\"a,b:[{\" | 1",
        "\"a\\\",[[\" | 1",
        "\"a\\\\\",[ | 3",
        "[1,1,1] | 4",
        "[[],[]] | 5",
        "{\"a\":1,\"b\":{}} | 6"
      })
  void eachValueAndKeyCountsButNotStringContent(String json, int values) {
    assertThat(cost(json)).isEqualTo(8L * json.length() + 72L * values);
  }

  @Test
  void truncatedJsonIsCountedUpToItsEnd() {
    assertThat(cost("\"a\\")).isPositive();
    assertThat(cost("")).isPositive();
  }
}
