package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class TokenIdPropertyTest {

  @Property
  void anyStringIsAcceptedUnchangedOrRejected(@ForAll String text) {
    TokenId.parse(text).ifPresent(id -> assertThat(id.value()).isEqualTo(text));
  }
}
