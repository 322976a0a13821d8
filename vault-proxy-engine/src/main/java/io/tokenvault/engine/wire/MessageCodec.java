package io.tokenvault.engine.wire;

import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Flaw;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.engine.wire.MessageFields.Input;
import io.tokenvault.engine.wire.MessageFields.Output;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
    send(out, fields(message));
  }

  /**
   * Writes a message to the server and flushes the stream.
   *
   * @throws IOException if the message is too long or the server has ended
   */
  public static void write(OutputStream out, FromWorker message) throws IOException {
    send(out, fields(message));
  }

  /**
   * Reads the next message to a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static ToWorker readToWorker(InputStream in) throws IOException {
    Input data = receive(in);
    return complete(data, toWorker(data));
  }

  /**
   * Reads the next message from a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static FromWorker readFromWorker(InputStream in) throws IOException {
    Input data = receive(in);
    return complete(data, fromWorker(data));
  }

  /**
   * Writes the length and content of a message in one piece, since other threads may write to the
   * same stream afterwards.
   */
  private static void send(OutputStream out, Output fields) throws IOException {
    byte[] message = fields.toByteArray();
    int length = message.length - Integer.BYTES;
    if (length > MAX_LENGTH) {
      throw new IOException("the message is too long");
    }
    ByteBuffer.wrap(message).putInt(0, length);
    out.write(message);
    out.flush();
  }

  /** Reads one complete message, checking its length first. */
  private static Input receive(InputStream in) throws IOException {
    int length = new DataInputStream(in).readInt();
    if (length < 1 || length > MAX_LENGTH) {
      throw new IOException("the length of a message is out of bounds");
    }
    byte[] message = in.readNBytes(length);
    if (message.length < length) {
      throw new EOFException("a message was cut short");
    }
    return new Input(message);
  }

  /** Rejects data after the last field. */
  private static <T> T complete(Input in, T message) throws IOException {
    if (in.available() > 0) {
      throw new IOException("a message is followed by more");
    }
    return message;
  }

  private static Output fields(ToWorker message) {
    Output out = new Output();
    if (message instanceof ToWorker.Begin begin) {
      out.type('B').flag(begin.compiler()).list(begin.errorModules(), Output::text);
    } else if (message instanceof ToWorker.Compile compile) {
      out.type('C').text(compile.source()).flag(compile.module()).number(compile.cpuMillis());
    } else if (message instanceof ToWorker.Load load) {
      program(out.type('L').text(load.key()).number(load.generation()), load.program());
    } else if (message instanceof ToWorker.Probe probe) {
      limits(out.type('P').text(probe.key()), probe.limits());
    } else if (message instanceof ToWorker.Invoke invoke) {
      limits(out.type('I').text(invoke.key()), invoke.limits());
      out.constant(invoke.kind()).bytes(invoke.body()).text(invoke.context());
    } else if (message instanceof ToWorker.Reply reply) {
      out.type('R').number(reply.callId()).flag(reply.ok()).text(reply.json());
    } else if (message instanceof ToWorker.Provided provided) {
      out.type('M').flag(provided.cacheable()).flag(provided.module().isPresent());
      provided.module().ifPresent(module -> program(out, module));
    }
    return out;
  }

  private static ToWorker toWorker(Input in) throws IOException {
    return switch (in.readUnsignedByte()) {
      case 'B' -> new ToWorker.Begin(in.readBoolean(), in.list(Input::text));
      case 'C' -> new ToWorker.Compile(in.text(), in.readBoolean(), in.readLong());
      case 'L' -> new ToWorker.Load(in.text(), in.readLong(), program(in));
      case 'P' -> new ToWorker.Probe(in.text(), limits(in));
      case 'I' -> new ToWorker.Invoke(in.text(), limits(in), kind(in), in.bytes(), in.text());
      case 'R' -> new ToWorker.Reply(in.readInt(), in.readBoolean(), in.text());
      case 'M' -> provided(in);
      default -> throw unknown();
    };
  }

  private static ToWorker.Provided provided(Input in) throws IOException {
    boolean cacheable = in.readBoolean();
    return new ToWorker.Provided(
        in.readBoolean() ? Optional.of(program(in)) : Optional.empty(), cacheable);
  }

  private static Output fields(FromWorker message) {
    Output out = new Output();
    if (message instanceof FromWorker.Ready) {
      out.type('r');
    } else if (message instanceof FromWorker.Compiled compiled) {
      out.type('c').text(compiled.code()).list(compiled.requires(), Output::text);
    } else if (message instanceof FromWorker.Refused refused) {
      out.type('x').list(refused.flaws(), MessageCodec::flaw);
    } else if (message instanceof FromWorker.Call call) {
      out.type('a').number(call.callId()).text(call.operation()).text(call.json());
    } else if (message instanceof FromWorker.Require require) {
      out.type('m').text(require.from()).text(require.name());
    } else if (message instanceof FromWorker.Finished finished) {
      outcome(out.type('f'), finished.outcome());
      out.list(finished.console(), MessageCodec::consoleLine);
      thrown(out, finished.thrown());
    }
    return out;
  }

  private static FromWorker fromWorker(Input in) throws IOException {
    return switch (in.readUnsignedByte()) {
      case 'r' -> new FromWorker.Ready();
      case 'c' -> new FromWorker.Compiled(in.text(), in.list(Input::text));
      case 'x' -> new FromWorker.Refused(in.list(MessageCodec::flaw));
      case 'a' -> new FromWorker.Call(in.readInt(), in.text(), in.text());
      case 'm' -> new FromWorker.Require(in.text(), in.text());
      case 'f' ->
          new FromWorker.Finished(outcome(in), in.list(MessageCodec::consoleLine), thrown(in));
      default -> throw unknown();
    };
  }

  private static void outcome(Output out, Outcome outcome) {
    if (outcome instanceof Outcome.Returned returned) {
      out.type('r').constant(returned.kind()).bytes(returned.body());
      out.flag(returned.headers().isPresent()).text(returned.headers().orElse(""));
    } else if (outcome instanceof Outcome.Answered response) {
      out.type('a').number(response.status()).text(response.headers());
      out.constant(response.kind()).bytes(response.body());
    } else if (outcome instanceof Outcome.ErrorThrown threw) {
      position(out.type('t').number(threw.status()).text(threw.errors()), threw.position());
    } else if (outcome instanceof Outcome.Failed failed) {
      position(out.type('f').constant(failed.kind()), failed.position());
    }
  }

  /** Reads an outcome; its fields may have any values. */
  private static Outcome outcome(Input in) throws IOException {
    return switch (in.readUnsignedByte()) {
      case 'r' -> new Outcome.Returned(kind(in), in.bytes(), optionalText(in));
      case 'a' -> new Outcome.Answered(in.readInt(), in.text(), kind(in), in.bytes());
      case 't' -> new Outcome.ErrorThrown(in.readInt(), in.text(), position(in));
      case 'f' -> new Outcome.Failed(in.constant(Failing.values()), position(in));
      default -> throw unknown();
    };
  }

  /** Reads a presence flag and a string, which is written even if it is absent. */
  private static Optional<String> optionalText(Input in) throws IOException {
    boolean present = in.readBoolean();
    String text = in.text();
    return present ? Optional.of(text) : Optional.empty();
  }

  private static BodyKind kind(Input in) throws IOException {
    return in.constant(BodyKind.values());
  }

  private static void program(Output out, Program program) {
    out.text(program.id()).text(program.code()).map(program.resolutions());
  }

  private static Program program(Input in) throws IOException {
    return new Program(in.text(), in.text(), in.map());
  }

  private static void limits(Output out, Limits limits) {
    out.number(limits.cpuMillis()).number(limits.wallMillis()).number(limits.instructions());
    out.number(limits.allocatedBytes()).number(limits.maxOutput()).number(limits.maxCalls());
  }

  private static Limits limits(Input in) throws IOException {
    return new Limits(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readInt(), in.readInt());
  }

  private static void flaw(Output out, Flaw flaw) {
    out.number(flaw.line()).number(flaw.column()).text(flaw.message());
  }

  private static Flaw flaw(Input in) throws IOException {
    return new Flaw(in.readInt(), in.readInt(), in.text());
  }

  private static void consoleLine(Output out, ConsoleLine line) {
    out.text(line.level()).text(line.text());
  }

  private static ConsoleLine consoleLine(Input in) throws IOException {
    return new ConsoleLine(in.text(), in.text());
  }

  private static void thrown(Output out, Optional<Thrown> thrown) {
    out.flag(thrown.isPresent());
    out.text(thrown.map(Thrown::name).orElse("")).text(thrown.map(Thrown::message).orElse(""));
  }

  private static Optional<Thrown> thrown(Input in) throws IOException {
    boolean present = in.readBoolean();
    Thrown thrown = new Thrown(in.text(), in.text());
    return present ? Optional.of(thrown) : Optional.empty();
  }

  private static void position(Output out, Position position) {
    out.text(position.module()).number(position.line()).number(position.column());
  }

  private static Position position(Input in) throws IOException {
    return new Position(in.text(), in.readInt(), in.readInt());
  }

  private static IOException unknown() {
    return new IOException("the received bytes are not a message");
  }
}
