package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.token.TokenId;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tokens of a request are those of all its places together. */
class OneRoundTripTest {

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("one", "\"1\"");
    fixture.vault.token("two", "\"2\"");
    fixture.vault.token("three", "\"3\"");
    fixture.vault.token("four", "\"4\"");
  }

  @Test
  void tokensInAllPartsOfRequestAreFetchedTogether() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .path("/{{one}}")
            .query("q={{two}}")
            .header("X-Three", "{{three}}")
            .body("application/json", "[\"{{four}}\"]")
            .delivered();

    assertThat(received.target()).isEqualTo("/1?q=2");
    assertThat(received.headerLines()).contains("X-Three: 3");
    assertThat(received.bodyText()).isEqualTo("[\"4\"]");
    assertThat(fixture.vault.lookedFor())
        .containsExactly(
            Set.of(),
            Set.of(
                new TokenId("one"), new TokenId("two"), new TokenId("three"), new TokenId("four")));
  }

  @Test
  void repeatedTokenIsFetchedRecordedAndDecryptedOnce() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .path("/{{one}}/%7B%7Bone%7D%7D")
            .query("q={{one}}&{{one}}={{ one | append: 'x' }}")
            .header("X-One", "{{one}} {{one}}")
            .header("X-One", "{{ one }}")
            .body("application/json", "[\"{{one}}\", {\"a\": \"{{one}}{{ one }}\"}]")
            .delivered();

    assertThat(received.target()).isEqualTo("/1/1?q=1&1=1x");
    assertThat(received.bodyText()).isEqualTo("[\"1\", {\"a\": \"11\"}]");
    assertThat(fixture.vault.lookedFor()).containsExactly(Set.of(), Set.of(new TokenId("one")));
    assertThat(fixture.vault.events())
        .filteredOn(event -> event.equals("recorded: Token used") || event.startsWith("opened"))
        .containsExactly("recorded: Token used", "opened: one");
  }
}
