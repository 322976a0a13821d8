package io.tokenvault.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.RecordingVault;
import io.tokenvault.engine.Refusals;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.InvocationRecorder;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.usecase.proxy.Admission;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The contract between the runner and its steps. */
class PipelineRunnerTest {

  private static final ProxyCall CALL =
      new ProxyCall(
          "GET",
          "",
          Optional.empty(),
          List.of(),
          InputStream.nullInputStream(),
          OptionalLong.empty());

  private static final Step FAULTY =
      Step.of(
          "Faulty",
          exchange -> {
            throw new IllegalArgumentException("4111111111111111");
          });

  private final BodyMemoryBudget bodies = new BodyMemoryBudget(10);
  private final RecordingVault vault = new RecordingVault();
  private final InvocationRecorder recorder = new InvocationRecorder(vault.invocations());

  private PipelineRunner pipeline(Step... steps) {
    return new PipelineRunner(
        List.of(steps),
        ServiceHeaders.DEFAULT,
        bodies,
        recorder::record,
        new ResponseRecorder(ServiceHeaders.DEFAULT, vault.idempotentInvocations())::record,
        Tracer.NONE);
  }

  @Test
  void duplicateStepIsRejected() {
    assertThatThrownBy(() -> pipeline(FAULTY, FAULTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Faulty");
  }

  @Test
  void faultNamesItsStepWithoutMessage() {
    assertThatThrownBy(() -> pipeline(FAULTY).run(CALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Faulty failed with java.lang.IllegalArgumentException")
        .hasNoCause();
  }

  @Test
  void stepWithoutItsInputFails() {
    assertThatThrownBy(
            () ->
                pipeline(Step.of("BufferBody", new BufferBody(1, 1, ServiceHeaders.DEFAULT)))
                    .run(CALL))
        .hasMessageStartingWith("BufferBody failed");
  }

  @Test
  void pipelineWithoutResponseFails() {
    assertThatThrownBy(() -> pipeline().run(CALL)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusalIsRethrownAndMemoryIsReleased() {
    Step greedy =
        Step.of(
            "Greedy",
            exchange -> {
              exchange.memory().hold(10);
              throw new RefusedException(FailureCause.TOO_MANY_TOKENS, "no");
            });
    for (int i = 0; i < 3; i++) {
      Refusals.assertRefused(FailureCause.TOO_MANY_TOKENS, () -> pipeline(greedy).run(CALL));
    }
  }

  @Test
  void errorIsRethrownAndResponseIsClosed() {
    Responding responding = new Responding(200);
    StackOverflowError error = new StackOverflowError();
    Step broken =
        Step.of(
            "Broken",
            exchange -> {
              throw error;
            });

    assertThatThrownBy(() -> pipeline(Step.of("Responding", responding), broken).run(CALL))
        .isSameAs(error);

    assertThat(responding.closed).isTrue();
  }

  @Test
  void errorWhileEndIsRecordedClosesResponse() {
    Responding responding = new Responding(204);
    StackOverflowError error = new StackOverflowError();
    Admission admission =
        vault.invocations().admit(Optional.of(vault.callerKey()), Optional.empty());
    vault.failAuditLogWith(error);
    Step recorded =
        Step.of(
            "Recorded",
            exchange -> {
              exchange.admit(admission);
              exchange.setDestination(
                  new Destination(EngineFixture.HOST, 443, "", Optional.empty()));
              exchange.setRecorded();
            });

    assertThatThrownBy(() -> pipeline(recorded, Step.of("Responding", responding)).run(CALL))
        .isSameAs(error);

    assertThat(responding.closed).isTrue();
  }

  @Test
  void bodyIsTakenOnce() {
    InvocationBody body = InvocationBody.complete(new byte[1]);
    body.take();

    assertThatThrownBy(body::take).isInstanceOf(IllegalStateException.class);
  }

  private static final class Responding implements Consumer<Exchange> {

    private final int status;
    private boolean closed;

    private Responding(int status) {
      this.status = status;
    }

    @Override
    public void accept(Exchange exchange) {
      InputStream body =
          new ByteArrayInputStream(new byte[1]) {
            @Override
            public void close() {
              closed = true;
            }
          };
      exchange.setResponse(new ProxyResponse(status, List.of(), body, OptionalLong.of(1)));
    }
  }
}
