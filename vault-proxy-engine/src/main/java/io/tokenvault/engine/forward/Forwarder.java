package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.engine.forward.Transmission.StaleConnectionException;
import io.tokenvault.engine.forward.egress.AddressRefusedException;
import io.tokenvault.engine.forward.egress.LookupsBusyException;
import io.tokenvault.engine.forward.tunnel.ForwardProxyException;
import io.tokenvault.engine.forward.tunnel.ProxiedDns.ForwardProxyUnknownException;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request exactly as it is given, at most once, over TLS 1.2 or higher, to an address that
 * the egress policy allows, and gives the answer as it comes. All threads may share one instance.
 */
public final class Forwarder implements AutoCloseable {

  /**
   * What OkHttp takes the method of every request for: with {@code GET} it would trust idle
   * connections without a look.
   */
  private static final String ANY_METHOD = "FORWARD";

  private static final Set<String> NEVER_WITHOUT_BODY =
      Set.of("POST", "PUT", "PATCH", "PROPPATCH", "QUERY", "REPORT");

  /** For the operator. Callers are not to find out which private names exist. */
  private static final String ADDRESS_REFUSED = "The destination's address is refused";

  private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);

  private final HttpClients clients;
  private final boolean throughProxy;
  private final ForwardTimeouts timeouts;
  private final DestinationLimit limit;

  /**
   * @param maxPerDestination how many exchanges with one destination may go on at the same time
   */
  public Forwarder(
      EgressPolicy policy, NetworkAccess network, ForwardTimeouts timeouts, int maxPerDestination) {
    this.clients = new HttpClients(policy, network);
    this.throughProxy = network.forwardProxy().isPresent();
    this.timeouts = timeouts;
    this.limit = new DestinationLimit(maxPerDestination);
  }

  /**
   * @param caller whose going away ends the exchange at once, also while the answer is read
   * @return the destination's answer, with all of its headers; not yet read
   * @throws VaultException if there is none, with a fixed text
   */
  public ProxyAnswer send(OutgoingRequest request, CallerPresence caller) {
    Runnable end = limit.enter(request.destination());
    try {
      return exchange(request, caller, end);
    } catch (RuntimeException | Error failed) {
      end.run();
      throw failed;
    }
  }

  private ProxyAnswer exchange(OutgoingRequest request, CallerPresence caller, Runnable end) {
    HttpUrl url = ExactUrl.of(request.destination(), request.path(), request.query());
    HttpClients.Client client = client(request);
    ForwardTimeouts patience = timeouts.answeringWithin(request.timeout());
    // Each stale connection is one less in the pool.
    for (int attempt = 0; attempt <= HttpClients.IDLE_CONNECTIONS; attempt++) {
      Transmission transmission = new Transmission(request, client.tls(), patience);
      Optional<CallerBody> body = body(request, transmission);
      Call call = client.http().newCall(call(url, body, transmission));
      caller.whenGone(call::cancel);
      try {
        return answer(transmission, transmission.execute(call), end);
      } catch (StaleConnectionException nothingWasSent) {
        continue;
      } catch (IOException failed) {
        throw call.isCanceled() && !transmission.isExpired()
            ? callerGone()
            : failure(request, transmission, body, failed);
      }
    }
    throw exchangeFailure(request.destination().host(), new StaleConnectionException());
  }

  private HttpClients.Client client(OutgoingRequest request) {
    return clients.showing(request.clientCertificate()).orElseThrow(Forwarder::unknownCertificate);
  }

  /** The refusal of a request that names a client certificate which is not configured. */
  public static VaultException unknownCertificate() {
    return new RefusedException(
        FailureCause.DESTINATION_UNTRUSTED,
        "The client certificate for the destination is not configured.");
  }

  private static Request call(HttpUrl url, Optional<CallerBody> body, Transmission transmission) {
    return new Request.Builder()
        .url(url)
        .method(ANY_METHOD, body.orElse(null))
        // Or else it would ask for gzip and unpack it.
        .header("Accept-Encoding", "identity")
        .tag(Transmission.class, transmission)
        .build();
  }

  private static Optional<CallerBody> body(OutgoingRequest request, Transmission transmission) {
    if (BodyRules.isBodyless(request.method())) {
      return Optional.empty();
    }
    return request
        .body()
        .or(() -> NEVER_WITHOUT_BODY.contains(request.method()) ? emptyBody() : Optional.empty())
        .map(body -> new CallerBody(body, transmission));
  }

  private static Optional<OutgoingBody> emptyBody() {
    return Optional.of(new OutgoingBody(InputStream.nullInputStream(), OptionalLong.of(0)));
  }

  private static ProxyAnswer answer(Transmission transmission, Response response, Runnable end) {
    return new ProxyAnswer(
        transmission.status(),
        transmission.headers(),
        transmission.body(response, end),
        transmission.announcedLength());
  }

  private static VaultException callerGone() {
    return new RefusedException(
        FailureCause.CALLER_GONE, "The connection was ended before the answer came.");
  }

  /** Never with the cause: its text is the library's or the destination's. */
  private VaultException failure(
      OutgoingRequest request,
      Transmission transmission,
      Optional<CallerBody> body,
      IOException failed) {
    Optional<IOException> unreadable = body.flatMap(CallerBody::failure);
    if (unreadable.isPresent()) {
      return unreadable.get() instanceof BodyRefusedException refused
          ? refused.refusal()
          : ValidationException.of("error", "The request's body broke off before its end.");
    }
    String host = request.destination().host();
    return transmission.connected() ? exchangeFailure(host, failed) : connectFailure(host, failed);
  }

  private static VaultException exchangeFailure(String host, IOException failed) {
    if (failed instanceof SocketTimeoutException) {
      return new RefusedException(FailureCause.ANSWER_TIMEOUT, host + " did not answer in time.");
    }
    return new RefusedException(
        FailureCause.DESTINATION_BROKE_OFF,
        failed instanceof ProtocolException
            ? host + " gave no answer that is valid HTTP."
            : host + " ended the exchange without an answer.");
  }

  private VaultException connectFailure(String host, IOException failed) {
    if (failed instanceof AddressRefusedException) {
      LOG.warn("{}: the name resolves to one that is not public", ADDRESS_REFUSED);
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
          FailureCause.OVERLOADED, "Too many names are being looked up; try again.");
    }
    if (failed instanceof UnknownHostException) {
      return unknownName(host);
    }
    if (failed instanceof SSLException) {
      return new RefusedException(
          FailureCause.DESTINATION_UNTRUSTED,
          "No TLS connection that can be trusted was possible to " + host + ".");
    }
    if (failed instanceof SocketTimeoutException) {
      return new RefusedException(
          FailureCause.CONNECT_TIMEOUT, host + " did not accept a connection in time.");
    }
    return new RefusedException(
        FailureCause.DESTINATION_UNREACHABLE, "No connection was possible to " + host + ".");
  }

  /** Names that are not known here are left to a forward proxy, which knows none like this. */
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

  /** Ends idle connections; exchanges in flight go on to their end. */
  @Override
  public void close() {
    clients.close();
  }
}
