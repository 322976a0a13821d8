package io.tokenvault.engine;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** An HTTPS server that records its requests byte for byte and sends scripted responses. */
public class RawDestination extends RawServer {

  public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** Writes a response; throwing or returning false closes the connection. */
  @FunctionalInterface
  public interface Script {
    boolean respond(Received request, OutputStream out) throws IOException, InterruptedException;
  }

  /**
   * A received request.
   *
   * @param head the request line and the headers, without the empty line
   * @param body the body, without chunk framing
   * @param serverNames the server names (SNI) of the TLS handshake
   */
  public record Received(String head, byte[] body, List<String> serverNames) {
    public String requestLine() {
      return head.lines().findFirst().orElseThrow();
    }

    public String target() {
      return requestLine().split(" ")[1];
    }

    public List<String> headerLines() {
      return head.lines().skip(1).toList();
    }

    public String bodyText() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private volatile Script script = fixed(OK);
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param protocols the enabled versions of TLS; the platform's default if there are none
   */
  public RawDestination(SSLContext context, String... protocols) throws IOException {
    super(listen(context, protocols));
    start();
  }

  private static ServerSocket listen(SSLContext context, String... protocols) throws IOException {
    SSLServerSocket server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    if (protocols.length > 0) {
      server.setEnabledProtocols(protocols);
    }
    return server;
  }

  public static Script fixed(String response) {
    return (request, out) -> {
      out.write(response.getBytes(StandardCharsets.UTF_8));
      return true;
    };
  }

  /** Makes the server respond with these bytes and then stall until it is closed. */
  void respondAndStall(String bytes) {
    script =
        (request, out) -> {
          out.write(bytes.getBytes(StandardCharsets.UTF_8));
          out.flush();
          closed.await();
          return false;
        };
  }

  /** Makes the server respond with these bytes and close the connection. */
  public void respondAndClose(String bytes) {
    script =
        (request, out) -> {
          out.write(bytes.getBytes(StandardCharsets.UTF_8));
          return false;
        };
  }

  public void respondWith(String response) {
    script = fixed(response);
  }

  public void respondWith(Script next) {
    script = next;
  }

  /** Waits for the next request and removes it from the queue. */
  public Received take() throws InterruptedException {
    Received next = received.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("no request arrived");
    }
    return next;
  }

  /** Returns the number of received requests that were not taken. */
  public int waiting() {
    return received.size();
  }

  @Override
  void handle(Socket socket) throws IOException, InterruptedException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    boolean keepOpen = true;
    while (keepOpen) {
      String head = readHead(in);
      Received request = new Received(head, readBody(head, in), serverNames(socket));
      received.add(request);
      keepOpen = script.respond(request, out);
      out.flush();
    }
  }

  private static List<String> serverNames(Socket socket) {
    ExtendedSSLSession session = (ExtendedSSLSession) ((SSLSocket) socket).getSession();
    return session.getRequestedServerNames().stream()
        .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
        .toList();
  }

  private static byte[] readBody(String head, InputStream in) throws IOException {
    for (String line : head.toLowerCase(Locale.ROOT).split("\r\n")) {
      if (line.startsWith("content-length:")) {
        return readFully(in, Integer.parseInt(line.substring(15).strip()));
      }
      if (line.equals("transfer-encoding: chunked")) {
        return readChunks(in);
      }
    }
    return new byte[0];
  }

  private static byte[] readFully(InputStream in, int size) throws IOException {
    byte[] body = in.readNBytes(size);
    if (body.length < size) {
      throw new IOException("truncated body");
    }
    return body;
  }

  private static byte[] readChunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = readSize(in); size > 0; size = readSize(in)) {
      body.writeBytes(readFully(in, size));
      readLine(in);
    }
    readLine(in);
    return body.toByteArray();
  }

  private static int readSize(InputStream in) throws IOException {
    return Integer.parseInt(readLine(in), 16);
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = readByte(in); each != '\n'; each = readByte(in)) {
      line.append((char) each);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    super.close();
  }
}
