package io.tokenvault.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * The third party of the demo and of the warm-up: an HTTPS server on the loopback interface.
 *
 * <p>It returns the body of every request, so that a caller sees what arrived, and stores the last
 * request.
 */
public final class DemoDestination implements AutoCloseable {

  /** The host name of the destination, which no real host can have (RFC 2606). */
  public static final String HOST = "echo.example";

  private static final int WEEK = 7;
  private static final int OK = 200;
  private static final int NO_BODY = -1;
  private static final List<String> PLAIN_TEXT = List.of("text/plain");

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Path authority;
  private final AtomicReference<Received> last = new AtomicReference<>();

  private DemoDestination(HttpsServer server, Path authority) {
    this.server = server;
    this.authority = authority;
  }

  /**
   * Starts the server on a free port, with a new certificate that is valid for a week.
   *
   * @param directory the directory of the certificate; the private key is kept in memory only
   * @throws IOException if the certificate cannot be written or no port is free
   */
  public static DemoDestination start(Path directory) throws IOException {
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .commonName(HOST)
            .addSubjectAlternativeName(HOST)
            .duration(WEEK, TimeUnit.DAYS)
            .build();
    Path authority =
        Files.writeString(directory.resolve("demo-ca.pem"), certificate.certificatePem());
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            new HandshakeCertificates.Builder().heldCertificate(certificate).build().sslContext()));
    DemoDestination destination = new DemoDestination(server, authority);
    server.createContext("/", destination::respond);
    server.setExecutor(destination.threads);
    server.start();
    return destination;
  }

  /** Stores the request and responds with its body. */
  private void respond(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Received received =
          new Received(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")),
              new String(body, StandardCharsets.UTF_8));
      last.set(received);
      List<String> type = exchange.getRequestHeaders().getOrDefault("Content-Type", PLAIN_TEXT);
      exchange.getResponseHeaders().put("Content-Type", type);
      exchange.sendResponseHeaders(OK, body.length == 0 ? NO_BODY : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Returns the last request; empty before the first. */
  Optional<Received> last() {
    return Optional.ofNullable(last.get());
  }

  /** Returns the base URL. The vault must resolve {@link #HOST} to the loopback interface. */
  public String url() {
    return "https://" + HOST + ":" + server.getAddress().getPort();
  }

  /** Returns the certificate of the server, as a PEM file. */
  public Path certificateAuthority() {
    return authority;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /**
   * A request as the destination received it.
   *
   * @param authorization the header as it arrived; empty if there was none
   * @param body decoded as UTF-8
   */
  record Received(String method, String uri, Optional<String> authorization, String body) {}
}
