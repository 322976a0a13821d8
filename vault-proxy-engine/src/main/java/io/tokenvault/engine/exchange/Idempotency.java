package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;
import io.tokenvault.ports.usecase.idempotency.SentRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * State of a request that carries an idempotency key, so that its caller may retry it.
 *
 * @param sent the properties that identify the request
 * @param intent the durable announcement that the request will be sent, once it is recorded
 * @param isReplay whether the request is a retry whose response is replayed; no further step runs
 */
public record Idempotency(SentRequest sent, Optional<Intent> intent, boolean isReplay) {

  private static final String PATH = "/proxy";
  private static final byte[] NONE = {};

  /**
   * Reads the idempotency key of a request, before the body is read; empty if there is none.
   *
   * @throws io.tokenvault.domain.failure.ValidationException if there are several keys, the key is
   *     malformed, or the caller has sent no API key
   */
  public static Optional<IdempotencyKey> readKey(Exchange exchange, ServiceHeaders names) {
    if (!exchange.idempotencyKeys().isEmpty()) {
      IdempotentInvocations.requireKey(exchange.admission(), names.idempotencyKey());
    }
    return IdempotencyKey.read(names.idempotencyKey(), exchange.idempotencyKeys());
  }

  /**
   * Returns the state of a request that was not announced yet. It is identified by properties that
   * are taken before expressions are replaced: method, path, query, destination, the headers that
   * decide how the body is read, and the body.
   */
  public static Idempotency of(IdempotencyKey key, Exchange exchange, ServiceHeaders names) {
    ProxyCall call = exchange.call();
    SentRequest sent =
        new SentRequest(
            key,
            call.method(),
            PATH + call.path(),
            rest(exchange, names),
            exchange.body().bytes().orElse(NONE));
    return new Idempotency(sent, Optional.empty(), false);
  }

  /**
   * Returns the query, the destination and the values of the headers that decide how the body is
   * read.
   */
  private static List<String> rest(Exchange exchange, ServiceHeaders names) {
    List<String> rest = new ArrayList<>();
    rest.add(exchange.route().target().query().orElse(""));
    Optional<Proxy> proxy = exchange.admission().proxy();
    rest.add(proxy.map(each -> each.id().toString()).or(exchange.route()::url).orElse(""));
    for (String name : List.of(names.detokenize(), "Content-Type", "Content-Encoding")) {
      rest.add(
          String.join(
              "\n",
              exchange.call().headers().stream()
                  .filter(field -> field.is(name))
                  .map(HeaderField::value)
                  .toList()));
    }
    return rest;
  }

  /** Returns this state with the announcement that the request will be sent. */
  public Idempotency with(Intent newIntent) {
    return new Idempotency(sent, Optional.of(newIntent), isReplay);
  }

  /** Returns this state for a retry whose response is replayed. */
  public Idempotency replayed() {
    return new Idempotency(sent, intent, true);
  }
}
