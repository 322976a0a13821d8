package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.engine.forward.ForwardProxy.ForwardProxyException;
import io.tokenvault.engine.forward.ForwardProxy.ForwardProxyUnknownException;
import io.tokenvault.engine.forward.OutgoingRequest.BodyRefusedException;
import io.tokenvault.engine.forward.OutgoingRequest.OutgoingBody;
import io.tokenvault.engine.forward.Transmission.CallerBody;
import io.tokenvault.engine.forward.Transmission.StaleConnectionException;
import io.tokenvault.engine.forward.egress.DnsLookups.LookupsBusyException;
import io.tokenvault.engine.forward.egress.GuardedSocket.AddressRefusedException;
import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request exactly as it is given, at most once, over TLS 1.2 or higher, to an address that
 * the egress policy allows, and returns the response as it arrives. Thread-safe.
 *
 * <pre>{@code
 * try (ProxyResponse response = forwarder.send(request, caller)) {
 *   response.body().transferTo(output);
 * }
 * }</pre>
 */
public final class Forwarder implements AutoCloseable {

  /**
   * The method that OkHttp sees in every request. With {@code GET}, it would reuse idle connections
   * without checking them.
   */
  private static final String ANY_METHOD = "FORWARD";

  /** Methods for which a request without a body is sent with an empty one. */
  private static final Set<String> NEVER_WITHOUT_BODY =
      Set.of("POST", "PUT", "PATCH", "PROPPATCH", "QUERY", "REPORT");

  /** Outcome that the operator sees. Callers must not learn which private names exist. */
  private static final String ADDRESS_REFUSED = "The destination's address is refused";

  private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

  private final HttpClients clients;
  private final boolean throughProxy;
  private final ForwardTimeouts timeouts;
  private final DestinationLimit limit;

  /**
   * Creates a forwarder with an empty pool of connections.
   *
   * @param network resolver, trust, client certificates and forward proxy
   * @param maxPerDestination largest number of concurrent exchanges with one destination
   */
  public Forwarder(
      EgressPolicy policy, NetworkAccess network, ForwardTimeouts timeouts, int maxPerDestination) {
    this.clients = new HttpClients(policy, network, timeouts.idle());
    this.throughProxy = network.forwardProxy().isPresent();
    this.timeouts = timeouts;
    this.limit = new DestinationLimit(maxPerDestination);
  }

  /**
   * Sends a request and waits for the head of its response.
   *
   * @param caller cancels the exchange as soon as it disconnects, also while the response is read
   * @return the destination's response with all of its headers; its body is not read yet
   * @throws VaultException if there is no response; its text is fixed
   */
  public ProxyResponse send(OutgoingRequest request, CallerPresence caller) {
    Runnable end = limit.enter(request.destination());
    try {
      return exchange(request, caller, end);
    } catch (RuntimeException | Error failed) {
      end.run();
      throw failed;
    }
  }

  /**
   * Sends the request, again only if its pooled connection was closed before a byte was written.
   */
  private ProxyResponse exchange(OutgoingRequest request, CallerPresence caller, Runnable end) {
    HttpUrl url = request.url();
    HttpClients.Client client = client(request);
    ForwardTimeouts limits = timeouts.withResponseTimeout(request.timeout());
    // Each stale connection leaves the pool, so that the loop ends.
    for (int attempt = 0; attempt <= HttpClients.IDLE_CONNECTIONS; attempt++) {
      Transmission transmission = new Transmission(request, client.tls(), limits);
      Optional<CallerBody> body = body(request, transmission);
      Call call = client.http().newCall(call(url, body, transmission));
      caller.whenGone(call::cancel);
      try {
        Response response = transmission.execute(call);
        return transmission.open(response, end);
      } catch (StaleConnectionException nothingWasSent) {
        continue;
      } catch (IOException failed) {
        throw call.isCanceled() && !transmission.isExpired()
            ? new RefusedException(
                FailureCause.CALLER_GONE, "The connection was closed before the response arrived.")
            : failure(request, transmission, body, failed);
      }
    }
    throw exchangeFailure(request.destination().host(), new StaleConnectionException());
  }

  /** Returns the client that presents the request's certificate. */
  private HttpClients.Client client(OutgoingRequest request) {
    return clients
        .forCertificate(request.clientCertificate())
        .orElseThrow(Forwarder::unknownCertificate);
  }

  /** Returns the refusal of a request that names a client certificate which is not configured. */
  public static VaultException unknownCertificate() {
    return new RefusedException(
        FailureCause.DESTINATION_UNTRUSTED,
        "The client certificate for the destination is not configured.");
  }

  /** Returns the request for OkHttp; {@link Transmission} replaces its method and headers. */
  private static Request call(HttpUrl url, Optional<CallerBody> body, Transmission transmission) {
    return new Request.Builder()
        .url(url)
        .method(ANY_METHOD, body.orElse(null))
        // Otherwise OkHttp would request gzip and decompress the response.
        .header("Accept-Encoding", "identity")
        .tag(Transmission.class, transmission)
        .build();
  }

  /** Returns the body; empty for methods that never have one. */
  private static Optional<CallerBody> body(OutgoingRequest request, Transmission transmission) {
    if (BodyRules.isBodyless(request.method())) {
      return Optional.empty();
    }
    return request
        .body()
        .or(() -> NEVER_WITHOUT_BODY.contains(request.method()) ? emptyBody() : Optional.empty())
        .map(body -> transmission.new CallerBody(body));
  }

  private static Optional<OutgoingBody> emptyBody() {
    return Optional.of(new OutgoingBody(InputStream.nullInputStream(), OptionalLong.of(0)));
  }

  /**
   * Returns the failure for the caller, never with its cause: the text of a cause may come from
   * OkHttp or the destination.
   */
  private VaultException failure(
      OutgoingRequest request,
      Transmission transmission,
      Optional<CallerBody> body,
      IOException failed) {
    Optional<IOException> unreadable = body.flatMap(CallerBody::failure);
    if (unreadable.isPresent()) {
      return unreadable.get() instanceof BodyRefusedException refused
          ? refused.refusal()
          : ValidationException.of("error", "The request's body ended early.");
    }
    String host = request.destination().host();
    if (transmission.connected()) {
      return exchangeFailure(host, failed);
    }
    if (transmission.reachedTls() && !(failed instanceof SocketTimeoutException)) {
      return new RefusedException(
          FailureCause.DESTINATION_UNTRUSTED,
          "Could not establish a trusted TLS connection to " + host + ".");
    }
    return connectFailure(host, failed);
  }

  /** Returns the failure of an exchange whose connection was established. */
  private static VaultException exchangeFailure(String host, IOException failed) {
    if (failed instanceof SocketTimeoutException) {
      return new RefusedException(FailureCause.ANSWER_TIMEOUT, host + " did not respond in time.");
    }
    if (rejectsHandshake(failed)) {
      return new RefusedException(
          FailureCause.DESTINATION_BROKE_OFF,
          host + " rejected the TLS connection; it may require another client certificate.");
    }
    return new RefusedException(
        FailureCause.DESTINATION_BROKE_OFF,
        failed instanceof ProtocolException
            ? host + " returned an invalid HTTP response."
            : host + " closed the connection without a response.");
  }

  /**
   * Returns whether the destination rejected the TLS handshake. With TLS 1.3, it can do so when
   * this side has already sent the request.
   */
  private static boolean rejectsHandshake(IOException failed) {
    return Stream.concat(Stream.of(failed), Stream.of(failed.getSuppressed()))
        .anyMatch(SSLHandshakeException.class::isInstance);
  }

  private VaultException connectFailure(String host, IOException failed) {
    if (failed instanceof AddressRefusedException) {
      LOG.warn("{}: the name resolves to an address that is not public", ADDRESS_REFUSED);
      return unknownName(host).recordedAs(ADDRESS_REFUSED);
    }
    if (failed instanceof ForwardProxyUnknownException) {
      return unconnected(ForwardProxyException.unreachable());
    }
    if (failed instanceof ForwardProxyException proxy) {
      return unconnected(proxy);
    }
    if (failed instanceof LookupsBusyException) {
      return new RefusedException(
          FailureCause.OVERLOADED, "Too many DNS lookups are in progress; try again.");
    }
    if (failed instanceof UnknownHostException) {
      return unknownName(host);
    }
    if (failed instanceof SocketTimeoutException) {
      return new RefusedException(
          FailureCause.CONNECT_TIMEOUT, host + " did not accept a connection in time.");
    }
    return new RefusedException(
        FailureCause.DESTINATION_UNREACHABLE, "Could not connect to " + host + ".");
  }

  /**
   * Returns the failure for an unknown name. Names unknown here are left to the forward proxy if
   * there is one, and the text is then identical to the proxy's refusal, so that it reveals
   * nothing.
   */
  private RefusedException unknownName(String host) {
    return throughProxy
        ? unconnected(ForwardProxyException.refused())
        : new RefusedException(
            FailureCause.DESTINATION_UNRESOLVED,
            host + " does not resolve to an address that requests may be sent to.");
  }

  private static RefusedException unconnected(ForwardProxyException proxy) {
    return new RefusedException(proxy.failure(), proxy.getMessage());
  }

  /** Closes idle connections; exchanges in flight continue to their end. */
  @Override
  public void close() {
    clients.close();
  }

  /**
   * Dependencies for establishing connections.
   *
   * @param resolver resolves the names of destinations
   * @param trust authorities whose certificates destinations may have
   * @param clientCertificates certificates that destinations may request
   * @param forwardProxy proxy for all connections; empty for direct connections
   * @param http2 whether to use HTTP/2 with destinations that support it. OkHttp then keeps up to
   *     16 MiB of each response that its caller does not read, and replies to a destination that
   *     does not read them without a limit
   */
  public record NetworkAccess(
      HostResolver resolver,
      TrustedAuthorities trust,
      ClientCertificates clientCertificates,
      Optional<ForwardProxy> forwardProxy,
      boolean http2) {}

  /**
   * Limits the number of concurrent exchanges with one destination, so that a destination that does
   * not respond leaves capacity for the others. Thread-safe.
   */
  static final class DestinationLimit {

    private final int max;
    private final Map<String, Integer> inProgress = new ConcurrentHashMap<>();

    /**
     * Creates a limit.
     *
     * @param max concurrent exchanges with one host and port
     */
    DestinationLimit(int max) {
      this.max = max;
    }

    /**
     * Begins an exchange.
     *
     * @return ends the exchange; running it again has no effect
     * @throws RefusedException if the maximum is reached
     */
    Runnable enter(Destination destination) {
      String authority = destination.host() + ":" + destination.port();
      inProgress.compute(authority, (name, count) -> oneMore(destination, count));
      AtomicBoolean left = new AtomicBoolean();
      return () -> {
        if (left.compareAndSet(false, true)) {
          inProgress.compute(
              authority, (name, count) -> count == null || count == 1 ? null : count - 1);
        }
      };
    }

    private int oneMore(Destination destination, Integer count) {
      int present = count == null ? 0 : count;
      if (present >= max) {
        throw new RefusedException(
            FailureCause.OVERLOADED,
            "Too many requests to " + destination.host() + " are in progress; try again.");
      }
      return present + 1;
    }
  }
}
