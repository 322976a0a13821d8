package io.tokenvault.domain.secret;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SensitiveValuePropertyTest {

  @Property
  void whatIsPutInComesOut(@ForAll byte[] bytes) {
    SensitiveValue value = SensitiveValue.of(bytes);

    assertThat(value.open()).isEqualTo(bytes);
    assertThat(value.size()).isEqualTo(bytes.length);
    assertThat(value)
        .isEqualTo(SensitiveValue.of(bytes))
        .hasSameHashCodeAs(SensitiveValue.of(bytes));
  }
}
