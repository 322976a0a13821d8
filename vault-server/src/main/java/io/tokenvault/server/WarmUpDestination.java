package io.tokenvault.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** An HTTPS server on the loopback interface that responds to every request with 1 KB of JSON. */
final class WarmUpDestination implements AutoCloseable {

  /** Its host name, which no real host can have (RFC 2606). */
  static final String HOST = "destination.example";

  private static final int OK = 200;
  private static final byte[] RESPONSE =
      ("{\"status\":\"charged\",\"note\":\"" + "x".repeat(1000) + "\"}")
          .getBytes(StandardCharsets.US_ASCII);

  private final HttpsServer server;
  private final ExecutorService threads;
  private final String certificate;

  private WarmUpDestination(HttpsServer server, ExecutorService threads, String certificate) {
    this.server = server;
    this.threads = threads;
    this.certificate = certificate;
  }

  /** Starts a server with a new certificate on a free port. */
  static WarmUpDestination start() throws IOException {
    HeldCertificate held =
        new HeldCertificate.Builder().commonName(HOST).addSubjectAlternativeName(HOST).build();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            new HandshakeCertificates.Builder().heldCertificate(held).build().sslContext()));
    server.createContext("/", WarmUpDestination::respond);
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.start();
    return new WarmUpDestination(server, threads, held.certificatePem());
  }

  private static void respond(HttpExchange exchange) throws IOException {
    try (InputStream request = exchange.getRequestBody();
        OutputStream response = exchange.getResponseBody()) {
      request.transferTo(OutputStream.nullOutputStream());
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(OK, RESPONSE.length);
      response.write(RESPONSE);
    }
  }

  String url() {
    return "https://" + HOST + ":" + server.getAddress().getPort() + "/charges";
  }

  /** Returns its self-signed certificate in PEM. */
  String certificate() {
    return certificate;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
