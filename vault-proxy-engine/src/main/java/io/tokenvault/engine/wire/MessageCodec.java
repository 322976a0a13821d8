package io.tokenvault.engine.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes messages.
 *
 * <p>A message is its length in four bytes, and its content as {@link RecordCodec} encodes it. Data
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
    send(out, message);
  }

  /**
   * Writes a message to the server and flushes the stream.
   *
   * @throws IOException if the message is too long or the server has ended
   */
  public static void write(OutputStream out, FromWorker message) throws IOException {
    send(out, message);
  }

  /**
   * Reads the next message to a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static ToWorker readToWorker(InputStream in) throws IOException {
    return receive(in, ToWorker.class);
  }

  /**
   * Reads the next message from a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static FromWorker readFromWorker(InputStream in) throws IOException {
    return receive(in, FromWorker.class);
  }

  /**
   * Writes the length and content of a message in one piece, since other threads may write to the
   * same stream afterwards.
   */
  private static void send(OutputStream out, Object content) throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    RecordCodec.Output output = new RecordCodec.Output(buffer);
    output.writeInt(0);
    output.value(content);
    byte[] message = buffer.toByteArray();
    int length = message.length - Integer.BYTES;
    if (length > MAX_LENGTH) {
      throw new IOException("the message is too long");
    }
    ByteBuffer.wrap(message).putInt(0, length);
    out.write(message);
    out.flush();
  }

  /** Reads one complete message, checking its length first, and rejects data after its end. */
  private static <T> T receive(InputStream in, Class<T> type) throws IOException {
    int length = new DataInputStream(in).readInt();
    if (length < 1 || length > MAX_LENGTH) {
      throw new IOException("the length of a message is out of bounds");
    }
    byte[] message = in.readNBytes(length);
    if (message.length < length) {
      throw new EOFException("a message was cut short");
    }
    RecordCodec.Input input = new RecordCodec.Input(message);
    T content = type.cast(input.value(type));
    if (input.available() > 0) {
      throw new IOException("a message is followed by more");
    }
    return content;
  }
}
