package io.tokenvault.server.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import javax.net.ssl.SSLServerSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * Somebody else's server that keeps nothing: it answers a body with its length and checksum, and
 * {@code GET /length/NUMBER} or {@code GET /chunked/NUMBER} with so many bytes of {@link Pattern}.
 */
final class CountingDestination implements AutoCloseable {

  private static final String HOST = "counting.test";
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().commonName(HOST).addSubjectAlternativeName(HOST).build();

  private final SSLServerSocket server;

  CountingDestination() {
    HandshakeCertificates own =
        new HandshakeCertificates.Builder().heldCertificate(CERTIFICATE).build();
    try {
      server =
          (SSLServerSocket)
              own.sslContext()
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    start(this::acceptAll);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "counting-destination");
    thread.setDaemon(true);
    thread.start();
  }

  static String authorityPem() {
    return CERTIFICATE.certificatePem();
  }

  /** By which a vault finds it, and may. */
  static Map<String, String> settings() {
    return Map.of(
        "VAULT_EGRESS_PRIVATE_HOSTS", HOST, "VAULT_EGRESS_HOST_OVERRIDES", HOST + "=127.0.0.1");
  }

  String url() {
    return "https://" + HOST + ":" + server.getLocalPort();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = server.accept();
        start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // No more than these.
      return;
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      while (true) {
        answer(line(in), in, out);
        out.flush();
      }
    } catch (IOException ended) {
      // The vault needs the connection no longer.
      return;
    }
  }

  private static void answer(String requestLine, InputStream in, OutputStream out)
      throws IOException {
    String framing = framing(in);
    String[] path = requestLine.split(" ")[1].split("/");
    if (requestLine.startsWith("GET ")) {
      give(path[1], Long.parseLong(path[2]), out);
      return;
    }
    CheckedInputStream body = new CheckedInputStream(in, new CRC32());
    long length =
        framing.startsWith("content-length")
            ? skip(body, Long.parseLong(framing.split(":")[1].strip()))
            : skipChunks(in, body);
    String text = Pattern.summary(length, body.getChecksum());
    write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + text.length() + "\r\n\r\n" + text);
  }

  private static String framing(InputStream in) throws IOException {
    String framing = "content-length: 0";
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length") || lower.startsWith("transfer-encoding")) {
        framing = lower;
      }
    }
    return framing;
  }

  private static void give(String framing, long length, OutputStream out) throws IOException {
    boolean chunked = framing.equals("chunked");
    write(
        out,
        "HTTP/1.1 200 OK\r\n"
            + (chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length)
            + "\r\n\r\n");
    byte[] buffer = new byte[50_000];
    try (InputStream content = new Pattern(length)) {
      for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
        write(out, chunked ? Integer.toHexString(count) + "\r\n" : "");
        out.write(buffer, 0, count);
        write(out, chunked ? "\r\n" : "");
      }
    }
    write(out, chunked ? "0\r\n\r\n" : "");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static long skip(InputStream body, long length) throws IOException {
    body.skipNBytes(length);
    return length;
  }

  private static long skipChunks(InputStream in, InputStream body) throws IOException {
    long total = 0;
    long size = Long.parseLong(line(in), 16);
    while (size > 0) {
      total += skip(body, size);
      line(in);
      size = Long.parseLong(line(in), 16);
    }
    line(in);
    return total;
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the vault ended the connection");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
