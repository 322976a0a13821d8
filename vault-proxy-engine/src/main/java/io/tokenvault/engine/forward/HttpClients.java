package io.tokenvault.engine.forward;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.ForwardProxy.ForwardProxyUnknownException;
import io.tokenvault.engine.forward.Forwarder.NetworkAccess;
import io.tokenvault.engine.forward.egress.DnsLookups;
import io.tokenvault.engine.forward.egress.DnsLookups.CallResolver;
import io.tokenvault.engine.forward.egress.DnsLookups.LookupsBusyException;
import io.tokenvault.engine.forward.egress.GuardedDns;
import io.tokenvault.engine.forward.egress.GuardedSocket;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import io.tokenvault.engine.forward.egress.GuardedSocket.GuardedSocketFactory;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dns;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.internal.concurrent.TaskRunner;
import okhttp3.internal.concurrent.TaskRunner.RealBackend;
import okhttp3.internal.connection.ConnectionListener;

/**
 * OkHttp clients without redirects, retries or other automatic behavior: one that presents no
 * certificate, and one for each client certificate. They share a pool, but a connection is reused
 * only by the client that created its TLS socket.
 */
final class HttpClients {

  /** Largest number of idle connections in the pool. */
  static final int IDLE_CONNECTIONS = 256;

  private static final int IDLE_MINUTES = 5;

  /** Time by which the write timeout of OkHttp exceeds our limit. */
  private static final Duration AFTER_OWN_LIMIT = Duration.ofSeconds(1);

  record Client(OkHttpClient http, TrackedTlsSockets tls) {}

  private final Client anonymous;
  private final Map<String, Client> byCertificate;
  private final DnsLookups lookups;

  /**
   * Creates a client for each certificate. No connection is made and no thread is started yet.
   *
   * @param idle limit for each pause while a request is sent
   */
  HttpClients(EgressPolicy policy, NetworkAccess network, Duration idle) {
    this.lookups = new DnsLookups(network.resolver());
    OkHttpClient base = base(policy, network, new CallResolver(lookups), idle);
    TrustedAuthorities trust = network.trust();
    ClientCertificates certificates = network.clientCertificates();
    this.anonymous = client(base, trust, trust.sockets());
    Map<String, Client> clients = new HashMap<>();
    for (String name : certificates.names()) {
      SSLSocketFactory sockets = trust.sockets(certificates.keyManagers(name).orElseThrow());
      clients.put(name, client(base, trust, sockets));
    }
    this.byCertificate = Map.copyOf(clients);
  }

  /**
   * Returns the common configuration, with a connection-time egress check or a tunnel through the
   * forward proxy.
   */
  private static OkHttpClient base(
      EgressPolicy policy, NetworkAccess network, CallResolver resolver, Duration idle) {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .proxy(Proxy.NO_PROXY)
            .connectionSpecs(List.of(ConnectionSpec.RESTRICTED_TLS))
            .protocols(
                network.http2()
                    ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                    : List.of(Protocol.HTTP_1_1))
            .connectionPool(pool())
            .followRedirects(false)
            .followSslRedirects(false)
            .retryOnConnectionFailure(false)
            // Transmission enforces the time limits. A timeout of OkHttp closes TLS gracefully,
            // which waits for a destination that does not read, and delays all other timeouts
            // meanwhile.
            .connectTimeout(Duration.ZERO)
            .readTimeout(Duration.ZERO)
            // Ends HTTP/2 streams that the destination does not read. On HTTP/1.1, our own limit
            // comes first.
            .writeTimeout(idle.plus(AFTER_OWN_LIMIT))
            .eventListener(resolver.plus(new Transmission.HandshakeListener()))
            .addInterceptor(resolver)
            .addNetworkInterceptor(Transmission::intercept);
    GuardedDns dns = new GuardedDns(policy, resolver);
    if (network.forwardProxy().isEmpty()) {
      return builder
          .dns(dns)
          .socketFactory(new GuardedSocketFactory(() -> new GuardedSocket(policy)))
          .build();
    }
    ForwardProxy proxy = network.forwardProxy().get();
    SSLSocketFactory toProxy = network.trust().sockets();
    return builder
        .dns(new ProxiedDns(dns, resolver, proxy))
        .socketFactory(new GuardedSocketFactory(() -> new TunnelSocket(proxy, toProxy)))
        .build();
  }

  private static ConnectionPool pool() {
    return new ConnectionPool(
        IDLE_CONNECTIONS,
        IDLE_MINUTES,
        TimeUnit.MINUTES,
        new TaskRunner(new PoolCleanup(), TaskRunner.INSTANCE.getLogger$okhttp()),
        ConnectionListener.Companion.getNONE());
  }

  /** Returns a client with separate TLS sockets. */
  private static Client client(
      OkHttpClient base, TrustedAuthorities trust, SSLSocketFactory sockets) {
    TrackedTlsSockets tls = new TrackedTlsSockets(sockets);
    // With its default verifier, OkHttp would reuse a connection for other names in the
    // certificate.
    HostnameVerifier ofOneName = base.hostnameVerifier()::verify;
    return new Client(
        base.newBuilder()
            .sslSocketFactory(tls, trust.manager())
            .hostnameVerifier(ofOneName)
            .build(),
        tls);
  }

  /**
   * Returns the client that presents a certificate, or the anonymous one if none is named; empty if
   * there is no such certificate.
   */
  Optional<Client> forCertificate(Optional<String> certificate) {
    return certificate.isEmpty() ? Optional.of(anonymous) : certificate.map(byCertificate::get);
  }

  /** Closes idle connections; exchanges in flight continue to their end. */
  void close() {
    lookups.close();
    anonymous.http().dispatcher().executorService().shutdown();
    anonymous.http().connectionPool().evictAll();
  }

  /**
   * The thread of a pool, which looks for connections to close once a second. OkHttp would wake it
   * whenever a connection becomes idle: after every request.
   */
  private static final class PoolCleanup implements TaskRunner.Backend {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RealBackend threads =
        new RealBackend(
            task -> {
              Thread thread = new Thread(task, "destination-pool");
              thread.setDaemon(true);
              return thread;
            });

    @Override
    public long nanoTime() {
      return threads.nanoTime();
    }

    @Override
    public void coordinatorNotify(TaskRunner runner) {
      // The thread sees new tasks at the end of its period.
    }

    @Override
    public void coordinatorWait(TaskRunner runner, long nanos) {
      try {
        threads.coordinatorWait(runner, Math.min(nanos, PERIOD_NANOS));
      } catch (InterruptedException stopped) {
        runner.cancelAll();
      }
    }

    @Override
    public <T> BlockingQueue<T> decorate(BlockingQueue<T> queue) {
      return queue;
    }

    @Override
    public void execute(TaskRunner runner, Runnable task) {
      threads.execute(runner, task);
    }
  }

  /**
   * Returns the addresses of the forward proxy for every destination that may be reached through
   * it. They carry the name of the destination, which {@link TunnelSocket} sends to the proxy.
   *
   * @param destinations checks the addresses of destinations that resolve
   */
  record ProxiedDns(Dns destinations, HostResolver resolver, ForwardProxy proxy) implements Dns {

    /**
     * Returns the addresses of the proxy, with the name of the destination.
     *
     * @throws AddressRefusedException if the egress policy forbids an address of the destination
     * @throws ForwardProxyUnknownException if the name of the proxy does not resolve
     */
    @Override
    public List<InetAddress> lookup(String host) throws UnknownHostException {
      requireAllowed(host);
      try {
        return GuardedDns.named(host, resolver.resolve(proxy.host()));
      } catch (UnknownHostException unknown) {
        throw new ForwardProxyUnknownException();
      }
    }

    /** Applies the egress check to a destination that resolves. */
    private void requireAllowed(String host) throws UnknownHostException {
      try {
        destinations.lookup(host);
      } catch (AddressRefusedException | LookupsBusyException unjudged) {
        throw unjudged;
      } catch (UnknownHostException leftToTheProxy) {
        // The proxy may know names that do not resolve here.
        return;
      }
    }
  }
}
