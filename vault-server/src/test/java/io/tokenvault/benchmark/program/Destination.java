package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.Ports;
import io.tokenvault.server.environment.Unchecked;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.tls.HeldCertificate;

/**
 * A destination: an nginx with TLS whose response is 1 KB of JSON with the length of the request
 * body. It counts its requests.
 */
public final class Destination {

  public static final String HOST = "destination.test";
  private static final int RESPONSE_LENGTH = 1024;
  private static final Pattern COUNTS = Pattern.compile("\\n (\\d+) (\\d+) (\\d+) ");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final int port;
  private final int statusPort;
  private final Path authority;
  private long ownRequests;

  private Destination(int port, int statusPort, Path authority) {
    this.port = port;
    this.statusPort = statusPort;
    this.authority = authority;
  }

  public static Destination start(Workspace workspace) {
    HeldCertificate certificate =
        new HeldCertificate.Builder().commonName(HOST).addSubjectAlternativeName(HOST).build();
    Path authority = workspace.file("destination.pem", certificate.certificatePem());
    Path key = workspace.file("destination.key", certificate.privateKeyPkcs8Pem());
    int port = Ports.free(1).get(0);
    int statusPort = Ports.free(1).get(0);
    Nginx.start("destination", workspace, servers(port, statusPort, authority, key), port);
    return new Destination(port, statusPort, authority);
  }

  private static String servers(int port, int statusPort, Path certificate, Path key) {
    return """
      server {
        listen 127.0.0.1:%d ssl backlog=1024;
        ssl_certificate %s;
        ssl_certificate_key %s;
        ssl_protocols TLSv1.2 TLSv1.3;
        default_type application/json;
        location / { return 200 '%s'; }
      }
      server {
        listen 127.0.0.1:%d;
        location / { stub_status; }
      }
    """
        .formatted(port, certificate, key, response(), statusPort);
  }

  /** Returns the response, in which nginx replaces a variable by the length of the body. */
  private static String response() {
    String beginning = "{\"received\": $content_length, \"note\": \"";
    return beginning + "x".repeat(RESPONSE_LENGTH - beginning.length() + 9) + "\"}";
  }

  /** Returns the beginning of the response to a body of this length. */
  public static String responseStart(int bodyLength) {
    return "{\"received\": " + bodyLength + ",";
  }

  public int port() {
    return port;
  }

  public String url() {
    return "https://" + HOST + ":" + port;
  }

  /** Returns the file with the trusted certificate. */
  public Path authority() {
    return authority;
  }

  /** Returns the number of requests so far, without those of this method. */
  public long requests() {
    ownRequests++;
    Matcher counts = COUNTS.matcher(status());
    if (!counts.find()) {
      throw new IllegalStateException("no status of nginx");
    }
    return Long.parseLong(counts.group(3)) - ownRequests;
  }

  private String status() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + statusPort + "/")).build();
    return Unchecked.get(() -> CLIENT.send(request, BodyHandlers.ofString())).body();
  }
}
