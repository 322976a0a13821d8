package io.tokenvault.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The third party of the demo: an HTTPS server on the loopback interface.
 *
 * <p>It responds to every request with {@code {"status":"charged"}} and stores the last one.
 */
public final class DemoDestination implements AutoCloseable {

  /** The host name of the destination, which no real host can have (RFC 2606). */
  public static final String HOST = "payments.example";

  private static final int OK = 200;

  private final HttpsServer server;
  private final Path authority;
  private final AtomicReference<Received> last = new AtomicReference<>();

  private DemoDestination(HttpsServer server, Path authority) {
    this.server = server;
    this.authority = authority;
  }

  /**
   * Starts the server on a free port.
   *
   * @param directory the directory of the certificates
   * @throws IOException if the certificates cannot be created or no port is free
   */
  public static DemoDestination start(Path directory, SecureRandom randomness) throws IOException {
    DemoCertificates certificates = DemoCertificates.make(directory, HOST, randomness);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificates.serverContext()));
    DemoDestination destination = new DemoDestination(server, certificates.authority());
    server.createContext("/", destination::answer);
    server.start();
    return destination;
  }

  /** Stores the request and responds with a fixed JSON body. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Received received =
          new Received(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      last.set(received);
      byte[] body = "{\"status\":\"charged\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().put("Content-Type", List.of("application/json"));
      exchange.sendResponseHeaders(OK, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Returns the last request; empty before the first. */
  Optional<Received> last() {
    return Optional.ofNullable(last.get());
  }

  /** Returns the base URL. The vault must resolve {@link #HOST} to the loopback interface. */
  String url() {
    return "https://" + HOST + ":" + server.getAddress().getPort();
  }

  /** Returns the certificate of the authority that signed the server's, as a PEM file. */
  public Path certificateAuthority() {
    return authority;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /**
   * A request as the destination received it.
   *
   * @param authorization the header as it arrived; empty if there was none
   * @param body decoded as UTF-8
   */
  record Received(String method, String uri, Optional<String> authorization, String body) {}
}
