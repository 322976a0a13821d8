package io.tokenvault.engine.wire;

import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Encodes and decodes messages.
 *
 * <p>A message is its length in four bytes, a byte that identifies its type, and its fields. Data
 * of a worker is not trusted: every length is bounded, and anything that is not a message causes an
 * {@link IOException}.
 *
 * <pre>{@code
 * MessageCodec.write(toWorker, new ToWorker.Begin(false, List.of()));
 * FromWorker ready = MessageCodec.readFromWorker(fromWorker);
 * }</pre>
 */
public final class MessageCodec {

  /** The greatest length of a message, in bytes: a body of 10 MiB fits in Base64 with escapes. */
  public static final int MAX_LENGTH = 64 * 1024 * 1024;

  private MessageCodec() {}

  /**
   * Writes a message to a worker and flushes the stream.
   *
   * @throws IOException if the message is too long or the worker has ended
   */
  public static void write(OutputStream out, ToWorker message) throws IOException {
    send(out, data -> put(data, message));
  }

  /**
   * Writes a message to the server and flushes the stream.
   *
   * @throws IOException if the message is too long or the server has ended
   */
  public static void write(OutputStream out, FromWorker message) throws IOException {
    send(out, data -> put(data, message));
  }

  /**
   * Reads the next message to a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static ToWorker readToWorker(InputStream in) throws IOException {
    DataInputStream data = receive(in);
    return complete(data, toWorker(data));
  }

  /**
   * Reads the next message from a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static FromWorker readFromWorker(InputStream in) throws IOException {
    DataInputStream data = receive(in);
    return complete(data, fromWorker(data));
  }

  private interface Content {
    void writeTo(DataOutputStream data) throws IOException;
  }

  /**
   * Writes the length and content of a message in one piece, since other threads may write to the
   * same stream afterwards.
   */
  private static void send(OutputStream out, Content content) throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    DataOutputStream data = new DataOutputStream(buffer);
    data.writeInt(0);
    content.writeTo(data);
    byte[] message = buffer.toByteArray();
    int length = message.length - Integer.BYTES;
    if (length > MAX_LENGTH) {
      throw new IOException("the message is too long");
    }
    for (int i = 0; i < Integer.BYTES; i++) {
      message[i] = (byte) (length >>> (Byte.SIZE * (Integer.BYTES - 1 - i)));
    }
    out.write(message);
    out.flush();
  }

  /** Reads one complete message, checking its length first. */
  private static DataInputStream receive(InputStream in) throws IOException {
    int length = new DataInputStream(in).readInt();
    if (length < 1 || length > MAX_LENGTH) {
      throw new IOException("the length of a message is out of bounds");
    }
    byte[] message = in.readNBytes(length);
    if (message.length < length) {
      throw new EOFException("a message was cut short");
    }
    return new DataInputStream(new ByteArrayInputStream(message));
  }

  /** Rejects data after the last field. */
  private static <T> T complete(DataInputStream data, T message) throws IOException {
    if (data.available() > 0) {
      throw new IOException("a message is followed by more");
    }
    return message;
  }

  private static void put(DataOutputStream data, ToWorker message) throws IOException {
    if (message instanceof ToWorker.Begin begin) {
      data.writeByte('B');
      data.writeBoolean(begin.compiler());
      MessageFields.list(data, begin.errorModules(), MessageFields::text);
    } else if (message instanceof ToWorker.Compile compile) {
      data.writeByte('C');
      MessageFields.text(data, compile.source());
      data.writeBoolean(compile.module());
      data.writeLong(compile.cpuMillis());
    } else if (message instanceof ToWorker.Load load) {
      data.writeByte('L');
      MessageFields.text(data, load.key());
      data.writeLong(load.generation());
      program(data, load.program());
    } else if (message instanceof ToWorker.Probe probe) {
      data.writeByte('P');
      MessageFields.text(data, probe.key());
      limits(data, probe.limits());
    } else if (message instanceof ToWorker.Invoke invoke) {
      data.writeByte('I');
      MessageFields.text(data, invoke.key());
      limits(data, invoke.limits());
      data.writeByte(invoke.kind().ordinal());
      MessageFields.bytes(data, invoke.body());
      MessageFields.text(data, invoke.context());
    } else if (message instanceof ToWorker.Reply reply) {
      data.writeByte('R');
      data.writeInt(reply.callId());
      data.writeBoolean(reply.ok());
      MessageFields.text(data, reply.json());
    } else if (message instanceof ToWorker.Provided provided) {
      data.writeByte('M');
      data.writeBoolean(provided.cacheable());
      data.writeBoolean(provided.module().isPresent());
      if (provided.module().isPresent()) {
        program(data, provided.module().get());
      }
    }
  }

  private static ToWorker toWorker(DataInputStream data) throws IOException {
    return switch (data.readUnsignedByte()) {
      case 'B' ->
          new ToWorker.Begin(data.readBoolean(), MessageFields.list(data, MessageFields::text));
      case 'C' ->
          new ToWorker.Compile(MessageFields.text(data), data.readBoolean(), data.readLong());
      case 'L' -> new ToWorker.Load(MessageFields.text(data), data.readLong(), program(data));
      case 'P' -> new ToWorker.Probe(MessageFields.text(data), limits(data));
      case 'I' ->
          new ToWorker.Invoke(
              MessageFields.text(data),
              limits(data),
              kind(data),
              MessageFields.bytes(data),
              MessageFields.text(data));
      case 'R' -> new ToWorker.Reply(data.readInt(), data.readBoolean(), MessageFields.text(data));
      case 'M' -> provided(data);
      default -> throw unknown();
    };
  }

  private static ToWorker.Provided provided(DataInputStream data) throws IOException {
    boolean cacheable = data.readBoolean();
    return new ToWorker.Provided(
        data.readBoolean() ? Optional.of(program(data)) : Optional.empty(), cacheable);
  }

  private static void put(DataOutputStream data, FromWorker message) throws IOException {
    if (message instanceof FromWorker.Ready) {
      data.writeByte('r');
    } else if (message instanceof FromWorker.Compiled compiled) {
      data.writeByte('c');
      MessageFields.text(data, compiled.code());
      MessageFields.list(data, compiled.requires(), MessageFields::text);
    } else if (message instanceof FromWorker.Refused refused) {
      data.writeByte('x');
      MessageFields.list(data, refused.flaws(), MessageCodec::flaw);
    } else if (message instanceof FromWorker.Call call) {
      data.writeByte('a');
      data.writeInt(call.callId());
      MessageFields.text(data, call.operation());
      MessageFields.text(data, call.json());
    } else if (message instanceof FromWorker.Require require) {
      data.writeByte('m');
      MessageFields.text(data, require.from());
      MessageFields.text(data, require.name());
    } else if (message instanceof FromWorker.Finished finished) {
      data.writeByte('f');
      outcome(data, finished.outcome());
      MessageFields.list(data, finished.console(), MessageCodec::consoleLine);
      data.writeBoolean(finished.thrown().isPresent());
      MessageFields.text(data, finished.thrown().map(Thrown::name).orElse(""));
      MessageFields.text(data, finished.thrown().map(Thrown::message).orElse(""));
    }
  }

  private static FromWorker fromWorker(DataInputStream data) throws IOException {
    return switch (data.readUnsignedByte()) {
      case 'r' -> new FromWorker.Ready();
      case 'c' ->
          new FromWorker.Compiled(
              MessageFields.text(data), MessageFields.list(data, MessageFields::text));
      case 'x' -> new FromWorker.Refused(MessageFields.list(data, MessageCodec::flaw));
      case 'a' ->
          new FromWorker.Call(data.readInt(), MessageFields.text(data), MessageFields.text(data));
      case 'm' -> new FromWorker.Require(MessageFields.text(data), MessageFields.text(data));
      case 'f' ->
          new FromWorker.Finished(
              outcome(data), MessageFields.list(data, MessageCodec::consoleLine), thrown(data));
      default -> throw unknown();
    };
  }

  private static void outcome(DataOutputStream data, Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Returned returned) {
      data.writeByte('r');
      data.writeByte(returned.kind().ordinal());
      MessageFields.bytes(data, returned.body());
      data.writeBoolean(returned.headers().isPresent());
      MessageFields.text(data, returned.headers().orElse(""));
    } else if (outcome instanceof Outcome.Answered response) {
      data.writeByte('a');
      data.writeInt(response.status());
      MessageFields.text(data, response.headers());
      data.writeByte(response.kind().ordinal());
      MessageFields.bytes(data, response.body());
    } else if (outcome instanceof Outcome.Threw threw) {
      data.writeByte('t');
      data.writeInt(threw.status());
      MessageFields.text(data, threw.errors());
      position(data, threw.position());
    } else if (outcome instanceof Outcome.Failed failed) {
      data.writeByte('f');
      data.writeByte(failed.kind().ordinal());
      position(data, failed.position());
    }
  }

  /** Reads an outcome; its fields may have any values. */
  private static Outcome outcome(DataInputStream data) throws IOException {
    return switch (data.readUnsignedByte()) {
      case 'r' -> new Outcome.Returned(kind(data), MessageFields.bytes(data), optionalText(data));
      case 'a' ->
          new Outcome.Answered(
              data.readInt(), MessageFields.text(data), kind(data), MessageFields.bytes(data));
      case 't' -> new Outcome.Threw(data.readInt(), MessageFields.text(data), position(data));
      case 'f' ->
          new Outcome.Failed(MessageFields.constant(data, Failing.values()), position(data));
      default -> throw unknown();
    };
  }

  /** Reads a presence flag and a string, which is written even if it is absent. */
  private static Optional<String> optionalText(DataInputStream data) throws IOException {
    boolean present = data.readBoolean();
    String text = MessageFields.text(data);
    return present ? Optional.of(text) : Optional.empty();
  }

  private static BodyKind kind(DataInputStream data) throws IOException {
    return MessageFields.constant(data, BodyKind.values());
  }

  private static void program(DataOutputStream data, Program program) throws IOException {
    MessageFields.text(data, program.id());
    MessageFields.text(data, program.code());
    MessageFields.map(data, program.resolutions(), MessageFields::text);
  }

  private static Program program(DataInputStream data) throws IOException {
    return new Program(
        MessageFields.text(data),
        MessageFields.text(data),
        MessageFields.map(data, MessageFields::text));
  }

  private static void limits(DataOutputStream data, Limits limits) throws IOException {
    data.writeLong(limits.cpuMillis());
    data.writeLong(limits.wallMillis());
    data.writeLong(limits.instructions());
    data.writeLong(limits.allocatedBytes());
    data.writeInt(limits.maxOutput());
    data.writeInt(limits.maxCalls());
  }

  private static Limits limits(DataInputStream data) throws IOException {
    return new Limits(
        data.readLong(),
        data.readLong(),
        data.readLong(),
        data.readLong(),
        data.readInt(),
        data.readInt());
  }

  private static void flaw(DataOutputStream data, Flaw flaw) throws IOException {
    data.writeInt(flaw.line());
    data.writeInt(flaw.column());
    MessageFields.text(data, flaw.message());
  }

  private static Flaw flaw(DataInputStream data) throws IOException {
    return new Flaw(data.readInt(), data.readInt(), MessageFields.text(data));
  }

  private static void consoleLine(DataOutputStream data, ConsoleLine line) throws IOException {
    MessageFields.text(data, line.level());
    MessageFields.text(data, line.text());
  }

  private static ConsoleLine consoleLine(DataInputStream data) throws IOException {
    return new ConsoleLine(MessageFields.text(data), MessageFields.text(data));
  }

  private static Optional<Thrown> thrown(DataInputStream data) throws IOException {
    boolean present = data.readBoolean();
    Thrown thrown = new Thrown(MessageFields.text(data), MessageFields.text(data));
    return present ? Optional.of(thrown) : Optional.empty();
  }

  private static void position(DataOutputStream data, Position position) throws IOException {
    MessageFields.text(data, position.module());
    data.writeInt(position.line());
    data.writeInt(position.column());
  }

  private static Position position(DataInputStream data) throws IOException {
    return new Position(MessageFields.text(data), data.readInt(), data.readInt());
  }

  private static IOException unknown() {
    return new IOException("the received bytes are not a message");
  }
}
