package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.TokenForwarder.Recorder;
import io.tokenvault.engine.TokenForwarder.TokenSource;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forwarding with a token source and a recorder of the embedding program. */
final class TokenForwarderTest {

  private static final String CARD = "{\"card\":\"{{card-7}}\"}";

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  private final List<String> steps = new ArrayList<>();
  private final Recorder recorder =
      new Recorder() {
        @Override
        public void begin(Destination destination, Set<String> tokenIds) {
          steps.add("begin " + destination.host() + " " + tokenIds);
        }

        @Override
        public void end(Destination destination, String outcome) {
          steps.add("end " + outcome);
        }
      };

  private final TokenSource source =
      ids -> {
        steps.add("read " + ids);
        return Map.of("card-7", SensitiveValue.ofText("\"4242\""));
      };

  private String send(TokenSource tokens, Recorder records, String text) throws IOException {
    EngineFixture.Call call =
        fixture.call().anonymous().noDestination().body("application/json", text);
    try (TokenForwarder forwarder =
            new TokenForwarder(
                tokens,
                records,
                new EgressPolicy(Optional.empty(), Set.of(EngineFixture.HOST), Set.of()),
                fixture.settings());
        ProxyResponse response = forwarder.send(fixture.url("/charges"), call.build())) {
      return response.status()
          + " "
          + new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void expressionIsReplacedAfterRequestIsRecorded() throws Exception {
    assertThat(send(source, recorder, CARD)).isEqualTo("200 ok");

    assertThat(fixture.destination.take().bodyText()).isEqualTo("{\"card\":\"4242\"}");
    assertThat(steps)
        .containsExactly(
            "begin " + EngineFixture.HOST + " [card-7]", "read [card-7]", "end status 200");
  }

  @Test
  void requestWithoutTokensIsRecordedAndSent() throws Exception {
    assertThat(send(source, recorder, "{}")).isEqualTo("200 ok");

    assertThat(steps).containsExactly("begin " + EngineFixture.HOST + " []", "end status 200");
  }

  @Test
  void failedRecordPreventsReadAndRequest() {
    Recorder failing =
        new Recorder() {
          @Override
          public void begin(Destination destination, Set<String> tokenIds) {
            throw new RefusedException(FailureCause.STORE_UNAVAILABLE, "no disk");
          }

          @Override
          public void end(Destination destination, String outcome) {
            steps.add("end " + outcome);
          }
        };

    assertThatThrownBy(() -> send(source, failing, CARD)).hasMessage("no disk");

    assertThat(steps).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void refusedTokenIsRecordedAndNotSent() {
    TokenSource refusing =
        ids -> {
          throw new RefusedException(FailureCause.TOKENS_FORBIDDEN, "not this token");
        };

    assertThatThrownBy(() -> send(refusing, recorder, CARD)).hasMessage("not this token");

    assertThat(steps).hasSize(2).last().asString().startsWith("end ");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void missingTokenIsNotSent() {
    assertThatThrownBy(() -> send(source, recorder, "{\"card\":\"{{card-8}}\"}"))
        .isInstanceOf(IllegalStateException.class);

    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void privateAddressIsRefusedByDefault() {
    try (TokenForwarder forwarder = new TokenForwarder(source, recorder)) {
      assertThatThrownBy(
              () ->
                  forwarder.send(
                      "https://127.0.0.1/", fixture.call().anonymous().noDestination().build()))
          .isInstanceOf(RefusedException.class);
    }
    assertThat(steps).isEmpty();
  }

  @Test
  void documentedExampleCompiles(@TempDir Path directory) {
    Path example = Path.of("..", "docs", "examples", "forwarder", "ForwardPayment.java");
    String classes = System.getProperty("java.class.path");
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-Xlint:all,-classfile,-path",
                    "-Werror",
                    "-cp",
                    classes,
                    "-d",
                    directory.toString(),
                    example.toString()))
        .isZero();
  }
}
