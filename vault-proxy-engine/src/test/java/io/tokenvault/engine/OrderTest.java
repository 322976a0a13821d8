package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import java.io.InputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderTest {

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("tok-1", "\"4111\"");
  }

  @Test
  void dataIsNotRevealedBeforeAuthorization() {
    String powerless = fixture.vault.callerKey(AccessPolicy.none());

    assertThatThrownBy(
            () ->
                fixture.call().key(powerless).header("Content-Type", "application/json").stream(
                        new UnreadableStream())
                    .send())
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.PERMISSION_DENIED));
    assertThat(fixture.vault.events()).containsExactly("recorded: Proxy invocation denied");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void requestIsNotSentBeforeItsAuditEntryIsDurable() {
    fixture.destination.answers(
        (request, out) -> {
          fixture.vault.note("arrived: " + request.bodyText());
          return RawDestination.fixed(RawDestination.OK).answer(request, out);
        });

    fixture.call().body("application/json", "{\"card\":\"{{tok-1}}\"}").send();

    assertThat(fixture.vault.events())
        .startsWith(
            "recorded: Proxy invoked",
            "recorded: Token used",
            "opened: tok-1",
            "arrived: {\"card\":\"4111\"}");
  }

  @Test
  void requestIsNotSentIfItsAuditEntryCannotBeWritten() {
    fixture.vault.breakAuditLog();

    assertThatThrownBy(() -> fixture.call().body("text/plain", "{{tok-1}}").send())
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
    assertThat(fixture.vault.events()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void deniedInvocationIsStillRecorded() {
    fixture.vault.token("tok-2", "\"secret\"", "/pci/");
    String narrow = fixture.vault.callerKeyFor("/general/");

    assertThatThrownBy(
            () -> fixture.call().key(narrow).body("text/plain", "{{tok-1}} {{tok-2}}").send())
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.TOKENS_FORBIDDEN))
        .hasMessageContaining("tok-2");
    assertThat(fixture.vault.events())
        .containsExactly("recorded: Proxy invocation denied", "recorded: Token use denied");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void failedReplacementAfterTheRecordHasAnEnd() {
    fixture.vault.token("tok-2", "\"\u00fc\"");

    assertThatThrownBy(
            () -> fixture.call().body("text/plain; charset=us-ascii", "{{tok-2}}").send())
        .isInstanceOf(ValidationException.class);
    assertThat(fixture.vault.events())
        .startsWith("recorded: Proxy invoked", "recorded: Token used", "opened: tok-2")
        .last()
        .asString()
        .startsWith("recorded: Proxy invocation ended");
    assertThat(fixture.destination.connections()).isZero();
  }

  /** The body of a caller that is not let in must not even be read. */
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
