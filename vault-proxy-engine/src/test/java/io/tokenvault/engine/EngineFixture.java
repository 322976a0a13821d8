package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.memory.SmallJsonCodec;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.runtime.TransformRuntime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** An engine with an in-memory vault and a destination on the loopback interface. */
public final class EngineFixture implements AutoCloseable {

  public static final String HOST = "api.example.test";
  private static final int MAX_REQUESTS_PER_DESTINATION = 64;
  public static final int LIMIT = 2048;

  /** A timeout that no test reaches. */
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final Map<String, List<InetAddress>> OVERRIDES =
      Map.of(HOST, List.of(InetAddress.getLoopbackAddress()));
  private static final ForwardTimeouts TIMEOUTS = new ForwardTimeouts(TIMEOUT, TIMEOUT, TIMEOUT);

  /** Shared by all fixtures, since key stores are slow to create. */
  static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).ecdsa256().build();

  private static final Path AUTHORITY_FILE = authorityFile();
  private static final Map<String, HandshakeCertificates> CERTIFICATES = new ConcurrentHashMap<>();

  public final RecordingVault vault = new RecordingVault();
  public final ScriptedRunner runner = new ScriptedRunner();
  public final ScriptedClient client = new ScriptedClient();
  public final RawDestination destination;
  final ProxyEngine engine;
  public final String key = vault.callerKey();

  /** Resolves no name, so that no test depends on the system's DNS. */
  private static final HostResolver NO_DNS =
      host -> {
        throw new UnknownHostException(host);
      };

  private final boolean http2;

  public EngineFixture() {
    this(NO_DNS);
  }

  public EngineFixture(HostResolver resolver) {
    this(resolver, false);
  }

  private EngineFixture(HostResolver resolver, boolean http2) {
    this.http2 = http2;
    try {
      destination = new RawDestination(serverCertificates(HOST).sslContext());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    engine = newEngine(resolver, settings());
  }

  private static Path authorityFile() {
    try {
      Path file = Files.createTempFile("authority", ".pem");
      file.toFile().deleteOnExit();
      return Files.writeString(file, AUTHORITY.certificatePem());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  ProxyEngine.Settings settings() {
    return settings(OVERRIDES, TIMEOUTS, Optional.empty());
  }

  /** Returns a fixture whose engines use HTTP/2 with destinations that support it. */
  static EngineFixture withHttp2() {
    return new EngineFixture(NO_DNS, true);
  }

  private ProxyEngine.Settings settings(
      Map<String, List<InetAddress>> overrides,
      ForwardTimeouts timeouts,
      Optional<ForwardProxy> proxy) {
    return new ProxyEngine.Settings(
        ServiceHeaders.DEFAULT,
        overrides,
        Optional.of(AUTHORITY_FILE),
        ClientCertificates.none(),
        proxy,
        http2,
        timeouts.connect(),
        timeouts.firstByte(),
        timeouts.idle(),
        LIMIT,
        4 * LIMIT,
        MAX_REQUESTS_PER_DESTINATION);
  }

  ProxyEngine newEngine(HostResolver resolver, ProxyEngine.Settings settings) {
    return newEngine(Optional.empty(), new SmallTransformRuntime(), resolver, settings);
  }

  private ProxyEngine newEngine(
      Optional<Set<HostPattern>> allowed,
      TransformRuntime runtime,
      HostResolver resolver,
      ProxyEngine.Settings settings) {
    return new ProxyEngine(
        vault.invocations(),
        vault.idempotentInvocations(),
        new EgressPolicy(allowed, Set.of(HOST, "private.example.test"), Set.of()),
        settings,
        new ProxyEngine.Scripts(runner, runtime, client, new SmallJsonCodec(), LIMIT),
        resolver,
        Tracer.NONE);
  }

  /** Creates an engine that may send requests only to {@link #HOST}; the test closes it. */
  public ProxyEngine newEngineAllowingOneHost() {
    return newEngine(
        Optional.of(Set.of(new HostPattern(HOST))),
        new SmallTransformRuntime(),
        NO_DNS,
        settings());
  }

  /** Creates an engine that runs a hook before each compilation; the test closes it. */
  public ProxyEngine newEngineWithCompileHook(Runnable hook) {
    SmallTransformRuntime small = new SmallTransformRuntime();
    TransformRuntime runtime =
        new TransformRuntime() {
          @Override
          public String compiler() {
            return small.compiler();
          }

          @Override
          public Compilation compile(TenantId tenantId, TransformCode code) {
            hook.run();
            return small.compile(tenantId, code);
          }
        };
    return newEngine(Optional.empty(), runtime, NO_DNS, settings());
  }

  public HandshakeCertificates serverCertificates(String host) {
    return CERTIFICATES.computeIfAbsent(
        host, name -> serverCertificates(certificate(AUTHORITY, name), AUTHORITY));
  }

  static HeldCertificate certificate(HeldCertificate authority, String... names) {
    HeldCertificate.Builder certificate =
        new HeldCertificate.Builder().signedBy(authority).ecdsa256();
    List.of(names).forEach(certificate::addSubjectAlternativeName);
    return certificate.build();
  }

  public static HandshakeCertificates serverCertificates(
      HeldCertificate certificate, HeldCertificate authority) {
    return new HandshakeCertificates.Builder()
        .heldCertificate(certificate, authority.certificate())
        .build();
  }

  /** Creates an engine with another resolver and no overridden names; the test closes it. */
  ProxyEngine newEngine(HostResolver resolver) {
    return newEngine(resolver, settings(Map.of(), TIMEOUTS, Optional.empty()));
  }

  /** Creates an engine with other response timeouts; the test closes it. */
  ProxyEngine newEngine(Duration firstByte, Duration idle) {
    return newEngine(new ForwardTimeouts(TIMEOUT, firstByte, idle));
  }

  ProxyEngine newEngine(ForwardTimeouts timeouts) {
    return newEngine(NO_DNS, settings(OVERRIDES, timeouts, Optional.empty()));
  }

  /** Creates an engine that sends requests through a forward proxy; the test closes it. */
  ProxyEngine newEngine(HostResolver resolver, ForwardProxy proxy) {
    return newEngine(resolver, settings(OVERRIDES, TIMEOUTS, Optional.of(proxy)));
  }

  public String url() {
    return url("");
  }

  public String url(String path) {
    return urlAt(destination.port()) + path;
  }

  static String urlAt(int port) {
    return "https://" + HOST + ":" + port;
  }

  public Call call() {
    return new Call();
  }

  public Call get() {
    return call().method("GET");
  }

  @Override
  public void close() {
    engine.close();
    try {
      destination.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Builds a call; by default, with a valid API key and with the destination in the URL header. */
  public final class Call {

    private String method = "POST";
    private String path = "";
    private Optional<String> query = Optional.empty();
    private final List<HeaderField> headers = new ArrayList<>();
    private InputStream body = InputStream.nullInputStream();
    private OptionalLong length = OptionalLong.empty();
    private boolean skipsDefaultUrl;
    private boolean authenticated = true;

    public Call method(String name) {
      method = name;
      return this;
    }

    public Call path(String raw) {
      path = raw;
      return this;
    }

    public Call query(String raw) {
      query = Optional.of(raw);
      return this;
    }

    public Call header(String name, String value) {
      headers.add(new HeaderField(name, value));
      return this;
    }

    public Call to(String url) {
      skipsDefaultUrl = true;
      return header("SVC-PROXY-URL", url);
    }

    public Call byProxyKey(String proxyKey) {
      skipsDefaultUrl = true;
      return header("SVC-PROXY-KEY", proxyKey);
    }

    public Call noDestination() {
      skipsDefaultUrl = true;
      return this;
    }

    public Call anonymous() {
      authenticated = false;
      return this;
    }

    public Call key(String apiKey) {
      authenticated = false;
      return header("SVC-API-KEY", apiKey);
    }

    public Call body(String contentType, String text) {
      return body(contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    public Call body(String contentType, byte[] bytes) {
      header("Content-Type", contentType);
      body = new ByteArrayInputStream(bytes);
      length = OptionalLong.of(bytes.length);
      return this;
    }

    public Call stream(InputStream content) {
      body = content;
      length = OptionalLong.empty();
      return this;
    }

    public Call stream(InputStream content, long contentLength) {
      body = content;
      length = OptionalLong.of(contentLength);
      return this;
    }

    public ProxyCall build() {
      List<HeaderField> all = new ArrayList<>(headers);
      if (authenticated) {
        all.add(new HeaderField("SVC-API-KEY", key));
      }
      if (!skipsDefaultUrl) {
        all.add(new HeaderField("SVC-PROXY-URL", url()));
      }
      return new ProxyCall(method, path, query, all, body, length);
    }

    public ProxyResponse open() {
      return open(engine);
    }

    ProxyResponse open(ProxyEngine other) {
      return other.invoke(build());
    }

    /** Sends the call and reads the entire response. */
    public Response send() {
      return send(engine);
    }

    public Response send(ProxyEngine other) {
      try (ProxyResponse response = open(other)) {
        return new Response(response.status(), response.headers(), response.body().readAllBytes());
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }

    /** Asserts that the call fails, and returns the text that the caller receives. */
    public String assertRefused(FailureCause cause) {
      return assertRefused(cause, engine);
    }

    public String assertRefused(FailureCause cause, ProxyEngine other) {
      return Refusals.assertRefused(cause, () -> send(other));
    }

    /** Sends the call and returns the failure of its transform. */
    public TransformFailedException transformFailure() {
      return catchThrowableOfType(TransformFailedException.class, this::send);
    }

    /** Sends the call and returns the request that the destination received. */
    public RawDestination.Received delivered() throws InterruptedException {
      send();
      return destination.take();
    }
  }

  /** A response with its entire body. */
  public record Response(int status, List<HeaderField> headers, byte[] body) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public List<String> lines() {
      return headers.stream().map(field -> field.name() + ": " + field.value()).toList();
    }
  }
}
