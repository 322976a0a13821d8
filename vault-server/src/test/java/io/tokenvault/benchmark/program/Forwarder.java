package io.tokenvault.benchmark.program;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.tokenvault.server.environment.RunningProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.tls.Certificates;
import okhttp3.tls.HandshakeCertificates;

/**
 * A forwarder that shows the cost of the vault's libraries without the vault: Javalin receives a
 * request, and OkHttp sends it. Runs in its own JVM.
 */
public final class Forwarder {

  private static final int IDLE_CONNECTIONS = 256;
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private final OkHttpClient client;
  private final String destination;

  private Forwarder(String destination, Path authority) throws IOException {
    this.destination = destination;
    this.client = client(authority);
  }

  /** Starts the forwarder in a JVM and returns its URL. */
  public static String start(
      Workspace workspace, BenchmarkOptions options, Destination destination) {
    RunningProgram forwarder =
        RunningProgram.start(
            "forwarder",
            workspace.directory(),
            Map.of(),
            List.of(
                options.java,
                options.heapOption(),
                "-cp",
                System.getProperty("java.class.path"),
                Forwarder.class.getName(),
                destination.url(),
                destination.authority().toString()));
    return workspace.closeLater(forwarder).url();
  }

  public static void main(String[] arguments) throws IOException {
    Forwarder forwarder = new Forwarder(arguments[0], Path.of(arguments[1]));
    Javalin javalin = Javalin.create(forwarder::configure).start("127.0.0.1", 0);
    System.out.println("The forwarder listens on http://127.0.0.1:" + javalin.port());
  }

  private static OkHttpClient client(Path authority) throws IOException {
    X509Certificate trusted = Certificates.decodeCertificatePem(Files.readString(authority));
    HandshakeCertificates certificates =
        new HandshakeCertificates.Builder().addTrustedCertificate(trusted).build();
    return new OkHttpClient.Builder()
        .proxy(Proxy.NO_PROXY)
        .connectionSpecs(List.of(ConnectionSpec.RESTRICTED_TLS))
        .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, 5, TimeUnit.MINUTES))
        .sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager())
        .dns(host -> List.of(InetAddress.getLoopbackAddress()))
        .followRedirects(false)
        .retryOnConnectionFailure(false)
        .build();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.concurrency.useVirtualThreads =
        Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS;
    config.routes.post("/*", this::forward);
  }

  private void forward(Context context) throws IOException {
    Request request =
        new Request.Builder()
            .url(destination + context.path())
            .header("Content-Type", context.header("Content-Type"))
            .post(RequestBody.create(context.bodyAsBytes()))
            .build();
    try (Response response = client.newCall(request).execute()) {
      context
          .status(response.code())
          .contentType(response.header("Content-Type", "text/plain"))
          .result(response.body().bytes());
    }
  }
}
