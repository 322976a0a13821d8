package io.tokenvault.engine.transform.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.request.HeaderField;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {

  @ParameterizedTest
  @ValueSource(strings = {"\\r\\nx: y", "\\n", "\\u0000", "\\u0001", "\\u001b[2J", "\\u007f"})
  void invalidValueIsRejected(String value) {
    assertThatThrownBy(() -> Headers.fields("{\"a\":\"b" + value + "\"}"))
        .isInstanceOf(UnusableContentException.class)
        .hasMessageNotContaining("x: y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a:", "a\\r\\nb", "", "\\u00e9", "\\u0000"})
  void invalidNameIsOmitted(String name) throws Exception {
    assertThat(Headers.fields("{\"" + name + "\":\"x\",\"a\":\"b\\tc\"}"))
        .containsExactly(new HeaderField("a", "b\tc"));
  }

  @Test
  void excessFieldsAreRejected() throws Exception {
    String most = String.join(",", Collections.nCopies(Headers.MAX_FIELDS, "\"\""));

    assertThat(Headers.fields("{\"a\":[" + most + "]}")).hasSize(Headers.MAX_FIELDS);
    assertThatThrownBy(() -> Headers.fields("{\"a\":[" + most + ",\"\"]}"))
        .isInstanceOf(UnusableContentException.class);
  }
}
