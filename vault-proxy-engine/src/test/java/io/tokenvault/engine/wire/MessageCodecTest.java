package io.tokenvault.engine.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageCodecTest {

  private static final Position POSITION = new Position("lib/a.js", 3, 7);

  private static final Program PROGRAM =
      new Program("lib/a.js", "f(\u20ac)", Map.of("b", "lib/b.js", "c", "lib/c.js"));

  static Stream<ToWorker> messagesToWorkers() {
    Limits limits = new Limits(1, Long.MAX_VALUE, 3, 4, 5, 6);
    return Stream.of(
        new ToWorker.Begin(true, List.of("errors", "")),
        new ToWorker.Compile("let a", false, 10_000),
        new ToWorker.Load("key", -1, PROGRAM),
        new ToWorker.Probe("key", limits),
        new ToWorker.Invoke("key", limits, BodyKind.NONE, new byte[0], "{}"),
        new ToWorker.Reply(7, true, "[]"),
        new ToWorker.Provided(Optional.of(PROGRAM), true),
        new ToWorker.Provided(Optional.empty(), false));
  }

  static Stream<FromWorker> messagesFromWorkers() {
    byte[] body = {0, -1};
    return Stream.of(
        new FromWorker.Ready(),
        new FromWorker.Compiled("f()", List.of("a", "b")),
        new FromWorker.Refused(List.of(new Flaw(1, 2, "no"), new Flaw(3, 4, ""))),
        new FromWorker.Call(1, "fetch", "{}"),
        new FromWorker.Require("", "lodash"),
        new Finished(
            new Outcome.Returned(BodyKind.BINARY, body, Optional.of("null")),
            List.of(new ConsoleLine("log", "a")),
            Optional.of(new Thrown("Error", "b"))),
        new Finished(new Outcome.ResponseThrown(201, "{}", BodyKind.TEXT, body), List.of()),
        new Finished(new Outcome.ErrorThrown(400, "{}", POSITION), List.of()),
        new Finished(new Outcome.Failed(FailureKind.OUTPUT_SIZE, POSITION), List.of()));
  }

  @ParameterizedTest
  @MethodSource("messagesToWorkers")
  void messageToWorkerIsReadAsWritten(ToWorker message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MessageCodec.write(out, message);
    assertThat(MessageCodec.readToWorker(new ByteArrayInputStream(out.toByteArray())))
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(message);
  }

  @ParameterizedTest
  @MethodSource("messagesFromWorkers")
  void messageFromWorkerIsReadAsWritten(FromWorker message) throws IOException {
    assertThat(read(written(message)))
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isEqualTo(message);
  }

  @Test
  void everyMessageIsCovered() {
    assertThat(messagesToWorkers().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(ToWorker.class.getPermittedSubclasses());
    assertThat(messagesFromWorkers().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(FromWorker.class.getPermittedSubclasses());
    assertThat(
            messagesFromWorkers()
                .filter(Finished.class::isInstance)
                .<Class<?>>map(message -> ((Finished) message).outcome().getClass())
                .distinct())
        .containsExactlyInAnyOrder(Outcome.class.getPermittedSubclasses());
  }

  /** Whatever a worker sends is read as a message or rejected, without another exception. */
  @ParameterizedTest
  @MethodSource("messagesFromWorkers")
  void alteredMessageIsReadOrRejected(FromWorker message) throws IOException {
    byte[] bytes = written(message);
    for (int at = Integer.BYTES; at < bytes.length; at++) {
      for (int changed : new int[] {0, 1, 5, 0x7f, 0x80, 0xff}) {
        byte[] altered = bytes.clone();
        altered[at] = (byte) changed;
        Throwable thrown = catchThrowable(() -> read(altered));
        if (thrown != null) {
          assertThat(thrown).isInstanceOf(IOException.class);
        }
      }
    }
  }

  @Test
  void unknownTypeIsRejected() throws IOException {
    byte[] bytes = written(new FromWorker.Ready());
    bytes[Integer.BYTES] = 99;
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(IOException.class)
        .hasMessage("the received bytes are not a message");
  }

  @Test
  void countBeyondMessageIsRejected() throws IOException {
    byte[] bytes = written(new FromWorker.Compiled("f()", List.of()));
    ByteBuffer.wrap(bytes).putInt(Integer.BYTES + 1, Integer.MAX_VALUE);
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(IOException.class)
        .hasMessage("a count is larger than its message");
  }

  @Test
  void lengthOutOfBoundsIsRejected() {
    for (int length : new int[] {-1, 0, MessageCodec.MAX_LENGTH + 1}) {
      byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
      assertThatThrownBy(() -> read(bytes)).hasMessage("the length of a message is out of bounds");
    }
  }

  @Test
  void bytesAfterMessageAreRejected() throws IOException {
    byte[] bytes = Arrays.copyOf(written(new FromWorker.Ready()), Integer.BYTES + 2);
    ByteBuffer.wrap(bytes).putInt(0, 2);
    assertThatThrownBy(() -> read(bytes)).hasMessage("a message is followed by more");
  }

  @Test
  void messageCutShortIsEndOfStream() throws IOException {
    byte[] bytes = written(new FromWorker.Call(1, "fetch", "{}"));
    assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(EOFException.class);
  }

  private static byte[] written(FromWorker message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MessageCodec.write(out, message);
    return out.toByteArray();
  }

  private static FromWorker read(byte[] message) throws IOException {
    return MessageCodec.readFromWorker(new ByteArrayInputStream(message));
  }
}
