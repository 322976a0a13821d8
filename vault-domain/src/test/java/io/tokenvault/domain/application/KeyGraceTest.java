package io.tokenvault.domain.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyGraceTest {

  @Test
  void wholeSecondsUpToOneWeekAreParsed() {
    assertThat(KeyGrace.parse("0")).contains(KeyGrace.NONE);
    assertThat(KeyGrace.parse("90")).contains(new KeyGrace(Duration.ofSeconds(90)));
    assertThat(KeyGrace.parse("00090")).contains(new KeyGrace(Duration.ofSeconds(90)));
    assertThat(KeyGrace.parse("604800")).contains(new KeyGrace(Duration.ofDays(7)));
    assertThat(KeyGrace.SHAPE).endsWith("from 0 to 604800");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "+1",
        "1.5",
        "604801",
        "0006048000",
        "99999999999999999999",
        " 1",
        "1h",
        "\u0661"
      })
  void invalidTextIsNoGracePeriod(String text) {
    assertThat(KeyGrace.parse(text)).isEmpty();
  }

  @Test
  void outOfRangeDurationIsRejected() {
    assertThatThrownBy(() -> new KeyGrace(Duration.ofDays(8)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KeyGrace(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
