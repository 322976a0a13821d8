package io.tokenvault.engine.forward;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.engine.forward.egress.CallResolver;
import io.tokenvault.engine.forward.egress.DnsLookups;
import io.tokenvault.engine.forward.egress.GuardedDns;
import io.tokenvault.engine.forward.egress.GuardedSocket;
import io.tokenvault.engine.forward.egress.GuardedSocketFactory;
import io.tokenvault.engine.forward.tunnel.ForwardProxy;
import io.tokenvault.engine.forward.tunnel.ProxiedDns;
import io.tokenvault.engine.forward.tunnel.TunnelSocket;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dns;
import okhttp3.OkHttpClient;

/**
 * OkHttp, set up never to do anything by itself: one client for connections that show no
 * certificate and one for each client certificate. They share a pool, but no connection: a
 * connection belongs to what made its TLS.
 */
final class HttpClients {

  static final int IDLE_CONNECTIONS = 256;
  private static final int IDLE_MINUTES = 5;

  /** A client, and what makes its connections. */
  record Client(OkHttpClient http, TrackedTlsSockets tls) {}

  private final Client anonymous;
  private final Map<String, Client> byCertificate;
  private final DnsLookups lookups;

  HttpClients(EgressPolicy policy, NetworkAccess network) {
    this.lookups = new DnsLookups(network.resolver());
    OkHttpClient base = base(policy, network, new CallResolver(lookups));
    TrustedAuthorities trust = network.trust();
    ClientCertificates certificates = network.clientCertificates();
    this.anonymous = client(base, trust, trust.sockets());
    this.byCertificate =
        certificates.names().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    name -> name,
                    name ->
                        client(
                            base,
                            trust,
                            trust.sockets(certificates.keyManagers(name).orElseThrow()))));
  }

  private static OkHttpClient base(
      EgressPolicy policy, NetworkAccess network, CallResolver resolver) {
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .proxy(Proxy.NO_PROXY)
            .connectionSpecs(List.of(ConnectionSpec.RESTRICTED_TLS))
            .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, IDLE_MINUTES, TimeUnit.MINUTES))
            .followRedirects(false)
            .followSslRedirects(false)
            .retryOnConnectionFailure(false)
            // Transmission ends what takes too long. A timeout of OkHttp's closes TLS in good
            // order, which waits for a destination that does not read, and with it all timeouts.
            .readTimeout(Duration.ZERO)
            .eventListener(resolver)
            .addInterceptor(resolver)
            .addInterceptor(Transmission::limit)
            .addNetworkInterceptor(Transmission::intercept);
    GuardedDns dns = new GuardedDns(policy, resolver);
    return network
        .forwardProxy()
        .map(
            proxy -> through(proxy, new ProxiedDns(dns, resolver, proxy), network.trust(), builder))
        .orElseGet(
            () ->
                builder
                    .dns(dns)
                    .socketFactory(new GuardedSocketFactory(() -> new GuardedSocket(policy))))
        .build();
  }

  private static OkHttpClient.Builder through(
      ForwardProxy proxy, Dns dns, TrustedAuthorities trust, OkHttpClient.Builder builder) {
    SSLSocketFactory toProxy = trust.sockets();
    return builder
        .dns(dns)
        .socketFactory(new GuardedSocketFactory(() -> new TunnelSocket(proxy, toProxy)));
  }

  private static Client client(
      OkHttpClient base, TrustedAuthorities trust, SSLSocketFactory sockets) {
    TrackedTlsSockets tls = new TrackedTlsSockets(sockets);
    // With its own verifier OkHttp would use a connection for other names of its certificate too.
    HostnameVerifier ofOneName = base.hostnameVerifier()::verify;
    return new Client(
        base.newBuilder()
            .sslSocketFactory(tls, trust.manager())
            .hostnameVerifier(ofOneName)
            .build(),
        tls);
  }

  /** Empty if there is no such certificate. */
  Optional<Client> showing(Optional<String> certificate) {
    return certificate.isEmpty() ? Optional.of(anonymous) : certificate.map(byCertificate::get);
  }

  /** Ends idle connections; exchanges in flight go on to their end. */
  void close() {
    lookups.close();
    anonymous.http().dispatcher().executorService().shutdown();
    anonymous.http().connectionPool().evictAll();
  }
}
