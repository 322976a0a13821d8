package io.tokenvault.adapters.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.exchange.Timestamps;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampsTest {

  private static final long YEAR_1 = -62_135_596_800_000_000L;
  private static final long YEAR_9999 = 253_402_300_799_999_999L;

  @ParameterizedTest
  @CsvSource({
    "2026-01-02T03:04:05Z, 2026-01-02T03:04:05Z",
    "2026-01-02T03:04+02:00, 2026-01-02T01:04:00Z",
    "2026-01-02T03:04:05.123456789-00:30, 2026-01-02T03:34:05.123456Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z, 9999-12-31T23:59:59.999999Z"
  })
  void timeIsReadWithItsOffset(String text, Instant time) {
    assertThat(Timestamps.read(text)).hasValue(time);
  }

  @Test
  void malformedTimestampIsRejected() {
    for (String bad :
        List.of(
            "",
            "2026-01-02",
            "2026-01-02T03:04:05",
            "2026-02-30T00:00:00Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02 03:04:05Z",
            "+12026-01-02T03:04:05Z",
            "0000-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "1767322800",
            "2026-01-02T03:04:05+25:00",
            "2026-01-02T03:04:05Z ")) {
      assertThat(Timestamps.read(bad)).as(bad).isEmpty();
    }
  }

  @Test
  void dateInQueryIsStartOfThatDay() {
    Instant start = Instant.parse("2026-01-02T00:00:00Z");

    assertThat(Timestamps.readFromQuery("2026-01-02")).hasValue(start);
    assertThat(Timestamps.readFromQuery("2026-01-02T02:00:00 02:00")).hasValue(start);
    assertThat(Timestamps.readFromQuery("2026-01-02T02:00:00+02:00")).hasValue(start);
    for (String bad : List.of("", "2026-02-30", "0000-01-01", "2026-1-2", "26-01-02", "today")) {
      assertThat(Timestamps.readFromQuery(bad)).as(bad).isEmpty();
    }
  }

  @Property(tries = 500)
  void writtenTimeIsReadBackToTheMicrosecond(
      @ForAll @LongRange(min = YEAR_1, max = YEAR_9999) long micros) {
    Instant time =
        Instant.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);

    assertThat(JsonRenderer.timestamp(time)).hasSize(32).endsWith("+00:00");
    assertThat(Timestamps.read(JsonRenderer.timestamp(time))).hasValue(time);
  }
}
