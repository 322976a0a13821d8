package io.tokenvault.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;

class PercentEncodingTest {

  @Test
  void onlyUnreservedCharactersStayUnencoded() {
    assertThat(PercentEncoding.encode("AZaz09-._~", StandardCharsets.UTF_8))
        .isEqualTo("AZaz09-._~");
    assertThat(PercentEncoding.encode("/?#%+ :@é😀", StandardCharsets.UTF_8))
        .isEqualTo("%2F%3F%23%25%2B%20%3A%40%C3%A9%F0%9F%98%80");
  }

  @Property(tries = 300)
  void encodedStringDecodesToOriginal(@ForAll @CharRange(from = '\0', to = '\ud7ff') String text) {
    String encoded = PercentEncoding.encode(text, StandardCharsets.UTF_8);

    assertThat(encoded).matches("[A-Za-z0-9._~%-]*");
    assertThat(URLDecoder.decode(encoded, StandardCharsets.UTF_8)).isEqualTo(text);
  }
}
