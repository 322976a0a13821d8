package io.tokenvault.adapters.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.resource.LogRoutes.LogCursor;
import io.tokenvault.ports.audit.LogPosition;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LogCursorTest {

  @Test
  void issuedCursorIsReadBack() {
    LogCursor cursor =
        LogCursor.of(new LogPosition(Instant.parse("2026-03-01T12:00:00.123456Z"), Long.MAX_VALUE));

    assertThat(LogCursor.read(cursor.text())).contains(cursor);
  }

  @Test
  void emptyCursorStartsAtNewestEntry() {
    assertThat(LogCursor.read("").orElseThrow().position()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "AAAA", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
  void unissuedCursorIsRejected(String text) {
    assertThat(LogCursor.read(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE})
  void impossibleTimeIsRejected(long micros) {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(micros).putLong(1).array();

    assertThat(LogCursor.read(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
        .isEmpty();
  }
}
