package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.token.TokenId;
import java.io.InputStream;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order and number of the vault's operations for one request. */
class InvocationOrderTest {

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("tok-1", "\"4111\"");
  }

  @Test
  void dataIsNotRevealedBeforeAuthorization() {
    String unprivilegedKey = fixture.vault.callerKey(AccessPolicy.none());

    fixture.call().key(unprivilegedKey).header("Content-Type", "application/json").stream(
            new UnreadableStream())
        .assertRefused(FailureCause.PERMISSION_DENIED);
    assertThat(fixture.vault.events()).containsExactly("recorded: Proxy invocation denied");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void requestIsNotSentBeforeItsAuditEntryIsDurable() {
    fixture.destination.respondWith(
        (request, out) -> {
          fixture.vault.note("arrived: " + request.bodyText());
          return RawDestination.fixed(RawDestination.OK).respond(request, out);
        });

    fixture.call().body("application/json", "{\"card\":\"{{tok-1}}\"}").send();

    assertThat(fixture.vault.events())
        .startsWith(
            "recorded: Proxy invoked",
            "recorded: Token used",
            "decrypted: tok-1",
            "arrived: {\"card\":\"4111\"}");
  }

  @Test
  void requestIsNotSentIfItsAuditEntryCannotBeWritten() {
    fixture.vault.breakAuditLog();

    fixture.call().body("text/plain", "{{tok-1}}").assertRefused(FailureCause.STORE_UNAVAILABLE);
    assertThat(fixture.vault.events()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void endIsRecordedIfReplacementFails() {
    fixture.vault.token("tok-2", "\"\u00fc\"");

    fixture
        .call()
        .body("text/plain; charset=us-ascii", "{{tok-2}}")
        .assertRefused(FailureCause.VALIDATION_FAILED);
    assertThat(fixture.vault.events())
        .startsWith("recorded: Proxy invoked", "recorded: Token used", "decrypted: tok-2")
        .last()
        .asString()
        .startsWith("recorded: Proxy invocation ended");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void tokensInAllPartsOfRequestAreFetchedTogether() throws Exception {
    addNumberedTokens();
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
    assertThat(fixture.vault.lookedUpTokens())
        .containsExactly(
            Set.of(),
            Set.of(
                new TokenId("one"), new TokenId("two"), new TokenId("three"), new TokenId("four")));
  }

  @Test
  void repeatedTokenIsFetchedRecordedAndDecryptedOnce() throws Exception {
    addNumberedTokens();
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
    assertThat(fixture.vault.lookedUpTokens())
        .containsExactly(Set.of(), Set.of(new TokenId("one")));
    assertThat(fixture.vault.events())
        .filteredOn(event -> event.equals("recorded: Token used") || event.startsWith("decrypted"))
        .containsExactly("recorded: Token used", "decrypted: one");
  }

  private void addNumberedTokens() {
    fixture.vault.token("one", "\"1\"");
    fixture.vault.token("two", "\"2\"");
    fixture.vault.token("three", "\"3\"");
    fixture.vault.token("four", "\"4\"");
  }

  /** A body that must not be read. */
  private static final class UnreadableStream extends InputStream {
    @Override
    public int read() {
      throw new AssertionError("the body was read");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return read();
    }
  }
}
