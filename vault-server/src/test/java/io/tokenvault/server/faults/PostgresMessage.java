package io.tokenvault.server.faults;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A message of the PostgreSQL protocol.
 *
 * @param type 0 for the first message of a connection, which has no type
 */
record PostgresMessage(byte type, byte[] content) {

  private static final int LENGTH_BYTES = 4;
  private static final byte READY_FOR_QUERY = 'Z';

  static Optional<PostgresMessage> readFirst(DataInputStream in) throws IOException {
    return read(in, (byte) 0);
  }

  /** Returns the next message; empty at the end of the stream. */
  static Optional<PostgresMessage> read(DataInputStream in) throws IOException {
    int type = in.read();
    return type < 0 ? Optional.empty() : read(in, (byte) type);
  }

  private static Optional<PostgresMessage> read(DataInputStream in, byte type) throws IOException {
    try {
      byte[] content = new byte[in.readInt() - LENGTH_BYTES];
      in.readFully(content);
      return Optional.of(new PostgresMessage(type, content));
    } catch (EOFException truncated) {
      return Optional.empty();
    }
  }

  void write(DataOutputStream out) throws IOException {
    if (type != 0) {
      out.writeByte(type);
    }
    out.writeInt(content.length + LENGTH_BYTES);
    out.write(content);
  }

  /** Returns whether the server has responded to all requests. */
  boolean isReady() {
    return type == READY_FOR_QUERY;
  }

  /** Returns whether the client waits for a response now. */
  boolean expectsResponse() {
    return type == 'S' || type == 'Q' || type == 'H';
  }

  /** Returns the null-terminated string at an index of the content. */
  String stringAt(int from) {
    int end = from;
    while (content[end] != 0) {
      end++;
    }
    return new String(content, from, end - from, StandardCharsets.UTF_8);
  }

  /** Returns the integer at the start of the content. */
  int firstInt() {
    return ByteBuffer.wrap(content).getInt();
  }
}
