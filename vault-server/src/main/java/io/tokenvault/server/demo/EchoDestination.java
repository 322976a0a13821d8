package io.tokenvault.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tokenvault.server.config.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
public final class EchoDestination implements AutoCloseable {

  /** The host name of the destination, which no real host can have (RFC 2606). */
  private static final String HOST = "echo.example";

  private static final int WEEK = 7;
  private static final int OK = 200;
  private static final int NO_BODY = -1;
  private static final List<String> PLAIN_TEXT = List.of("text/plain");

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Path certificate;
  private final AtomicReference<Received> last = new AtomicReference<>();

  private EchoDestination(HttpsServer server, Path certificate) {
    this.server = server;
    this.certificate = certificate;
  }

  /**
   * Starts the server on a free port, with a new certificate that is valid for a week.
   *
   * @param directory the directory of the certificate; the private key is kept in memory only
   * @throws IOException if the certificate cannot be written or no port is free
   */
  public static EchoDestination start(Path directory) throws IOException {
    HeldCertificate held =
        new HeldCertificate.Builder()
            .commonName(HOST)
            .addSubjectAlternativeName(HOST)
            .duration(WEEK, TimeUnit.DAYS)
            .build();
    Path certificate = Files.writeString(directory.resolve("demo-ca.pem"), held.certificatePem());
    // A response is two packets; without this, the second one waits 40 ms for the first one's
    // receipt.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            new HandshakeCertificates.Builder().heldCertificate(held).build().sslContext()));
    EchoDestination destination = new EchoDestination(server, certificate);
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

  /** Returns the base URL, for a vault with the {@link #egressSettings}. */
  public String url() {
    return "https://" + HOST + ":" + server.getAddress().getPort();
  }

  /** Returns the settings with which a vault reaches this server, and trusts its certificate. */
  public Map<Setting, String> egressSettings() {
    return Map.of(
        Setting.EGRESS_CA_FILE,
        certificate.toString(),
        Setting.EGRESS_PRIVATE_HOSTS,
        HOST,
        Setting.EGRESS_HOST_OVERRIDES,
        HOST + "=" + InetAddress.getLoopbackAddress().getHostAddress());
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
