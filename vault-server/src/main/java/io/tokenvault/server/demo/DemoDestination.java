package io.tokenvault.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The third party of the demo: an HTTPS server on the loopback interface.
 *
 * <p>It returns the body of every request, so that a caller sees what arrived, and stores the last
 * request.
 */
public final class DemoDestination implements AutoCloseable {

  /** The host name of the destination, which no real host can have (RFC 2606). */
  public static final String HOST = "echo.example";

  private static final int OK = 200;
  private static final int NO_BODY = -1;
  private static final List<String> PLAIN_TEXT = List.of("text/plain");

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
    Certificates certificates = Certificates.make(directory, HOST, randomness);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificates.serverContext()));
    DemoDestination destination = new DemoDestination(server, certificates.authority());
    server.createContext("/", destination::respond);
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

  /**
   * A certificate authority and a certificate for one host, created by {@code keytool} of the JDK.
   *
   * <p>They are created at each start of the demo and are valid for seven days. The private key of
   * the authority is in a keystore with a random password that is kept in memory only.
   */
  private static final class Certificates {

    private static final String PASSWORD_VARIABLE = "DEMO_KEYSTORE_PASSWORD";
    private static final String DAYS = "7";
    private static final long KEYTOOL_SECONDS = 60;
    private static final int PASSWORD_BYTES = 16;

    private final Path keyStore;
    private final Path authority;
    private final String password;

    private Certificates(Path directory, String password) {
      this.keyStore = directory.resolve("demo-destination.p12");
      this.authority = directory.resolve("demo-ca.pem");
      this.password = password;
    }

    /**
     * Creates the certificates in a directory, replacing those of an earlier start.
     *
     * @param host the DNS name in the certificate of the destination
     * @throws IOException if {@code keytool} fails or is missing in this JDK
     */
    static Certificates make(Path directory, String host, SecureRandom randomness)
        throws IOException {
      byte[] bytes = new byte[PASSWORD_BYTES];
      randomness.nextBytes(bytes);
      Certificates made = new Certificates(directory, HexFormat.of().formatHex(bytes));
      Files.deleteIfExists(made.keyStore);
      made.keyPair("ca", "CN=Token Vault demo CA", "bc:critical=ca:true");
      made.keyPair("destination", "CN=" + host, "san=dns:" + host, "-signer", "ca");
      made.keytool("-exportcert", "-rfc", "-alias", "ca", "-file", made.authority.toString());
      return made;
    }

    /** Creates a key pair on the curve P-256 and its certificate. */
    private void keyPair(String alias, String name, String extension, String... more)
        throws IOException {
      List<String> arguments =
          new ArrayList<>(
              List.of("-genkeypair", "-alias", alias, "-dname", name, "-ext", extension));
      arguments.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", DAYS));
      arguments.addAll(List.of(more));
      keytool(arguments.toArray(String[]::new));
    }

    /**
     * Runs {@code keytool}. The password is passed in the environment, because other users can see
     * arguments.
     */
    private void keytool(String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
      command.addAll(List.of(arguments));
      command.addAll(List.of("-keystore", keyStore.toString(), "-storetype", "PKCS12"));
      command.addAll(List.of("-storepass:env", PASSWORD_VARIABLE));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().put(PASSWORD_VARIABLE, password);
      await(builder.start());
    }

    /**
     * Waits up to a minute for {@code keytool}.
     *
     * @throws IOException if it fails or takes longer
     */
    private static void await(Process keytool) throws IOException {
      try {
        if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
          keytool.destroyForcibly();
          throw new IOException("keytool could not create a certificate");
        }
      } catch (InterruptedException interrupted) {
        keytool.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while creating a certificate", interrupted);
      }
    }

    /** Returns the certificate of the authority, as a PEM file. */
    Path authority() {
      return authority;
    }

    /** Returns the TLS context of the destination, without the key of the authority. */
    SSLContext serverContext() throws IOException {
      try (InputStream in = Files.newInputStream(keyStore)) {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(in, password.toCharArray());
        keys.deleteEntry("ca");
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
      } catch (GeneralSecurityException failed) {
        throw new IOException("cannot use the created certificate", failed);
      }
    }
  }
}
