package io.tokenvault.engine;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** An HTTP/2 server that counts its streams and sends scripted frames. */
final class RawHttp2Destination extends RawDestination {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GOAWAY = 7;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  private static final int ACK = 1;
  private static final int PREFACE_LENGTH = 24;

  /** Writes frames once the headers of a request arrived; throwing closes the connection. */
  @FunctionalInterface
  interface StreamScript {
    void respond(int stream, Connection connection) throws IOException;
  }

  private final AtomicInteger streams = new AtomicInteger();
  private volatile StreamScript script;

  RawHttp2Destination(SSLContext context, StreamScript script) throws IOException {
    super(context);
    this.script = script;
  }

  /** Returns the number of streams that were opened. */
  int streams() {
    return streams.get();
  }

  void setScript(StreamScript next) {
    script = next;
  }

  @Override
  void handle(Socket socket) throws IOException {
    SSLSocket tlsSocket = (SSLSocket) socket;
    SSLParameters parameters = tlsSocket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    tlsSocket.setSSLParameters(parameters);
    DataInputStream in = new DataInputStream(tlsSocket.getInputStream());
    in.readNBytes(PREFACE_LENGTH);
    Connection connection = new Connection(tlsSocket.getOutputStream());
    connection.frame(SETTINGS, 0, 0, new byte[0]);
    while (true) {
      readFrame(in, connection);
    }
  }

  private void readFrame(DataInputStream in, Connection connection) throws IOException {
    int length = (in.readUnsignedShort() << 8) | in.readUnsignedByte();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    in.readFully(new byte[length]);
    if (type == SETTINGS && flags != ACK) {
      connection.frame(SETTINGS, ACK, 0, new byte[0]);
    }
    if (type == HEADERS) {
      streams.incrementAndGet();
      script.respond(stream, connection);
    }
  }

  /** Writes frames to one connection. */
  static final class Connection {

    private final DataOutputStream out;

    Connection(OutputStream out) {
      this.out = new DataOutputStream(out);
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
      out.writeByte(payload.length >> 16);
      out.writeShort(payload.length & 0xffff);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
      out.flush();
    }

    void reset(int stream, int error) throws IOException {
      frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, (byte) error});
    }

    void goAway(int lastStream, int error) throws IOException {
      frame(GOAWAY, 0, 0, new byte[] {0, 0, 0, (byte) lastStream, 0, 0, 0, (byte) error});
    }

    /**
     * Writes a headers frame.
     *
     * @param namesAndValues names and values in turn, {@code :status} first
     */
    void headers(int stream, int flags, String... namesAndValues) throws IOException {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        block.write(0);
        writeString(block, namesAndValues[i]);
        writeString(block, namesAndValues[i + 1]);
      }
      frame(HEADERS, flags | END_HEADERS, stream, block.toByteArray());
    }

    private static void writeString(ByteArrayOutputStream block, String text) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void data(int stream, int flags, String text) throws IOException {
      frame(DATA, flags, stream, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void ok(int stream) throws IOException {
      headers(stream, END_STREAM, ":status", "200");
    }
  }
}
