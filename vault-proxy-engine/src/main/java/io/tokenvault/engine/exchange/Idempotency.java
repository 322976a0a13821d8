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
 * What is known of a request that its caller may send again.
 *
 * @param key with which the caller says so
 * @param sent what tells it from others, once its body is known
 * @param intent the note that it is about to be sent, once there is one
 * @param isAnswered whether it is a repeat and has its response; no further step is taken
 */
public record Idempotency(
    IdempotencyKey key, Optional<SentRequest> sent, Optional<Intent> intent, boolean isAnswered) {

  private static final String PATH = "/proxy";
  private static final byte[] NONE = {};

  /**
   * Reads the idempotency key, before the body is read.
   *
   * @throws io.tokenvault.domain.failure.ValidationException if there are several or the key is
   *     malformed, or the caller has sent no API key
   */
  public static Idempotency read(Exchange exchange, ServiceHeaders names) {
    IdempotentInvocations.requireKey(exchange.admission(), names.idempotencyKey());
    IdempotencyKey key =
        IdempotencyKey.read(names.idempotencyKey(), exchange.idempotencyKeys()).orElseThrow();
    return new Idempotency(key, Optional.empty(), Optional.empty(), false);
  }

  /**
   * Takes down what tells the request from another one, before expressions are replaced: where it
   * goes, its query, how its body is to be read, and the body.
   */
  public Idempotency withDigest(Exchange exchange, ServiceHeaders names) {
    ProxyCall call = exchange.call();
    SentRequest digest =
        new SentRequest(
            key,
            call.method(),
            PATH + call.path(),
            rest(exchange, names),
            exchange.body().bytes().orElse(NONE));
    return new Idempotency(key, Optional.of(digest), intent, isAnswered);
  }

  private static List<String> rest(Exchange exchange, ServiceHeaders names) {
    List<String> rest = new ArrayList<>();
    rest.add(exchange.route().target().query().orElse(""));
    rest.add(destination(exchange));
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

  private static String destination(Exchange exchange) {
    Optional<Proxy> proxy = exchange.admission().proxy();
    return proxy.map(each -> each.id().toString()).or(() -> exchange.route().url()).orElse("");
  }

  public Idempotency with(Intent noted) {
    return new Idempotency(key, sent, Optional.of(noted), isAnswered);
  }

  public Idempotency answered() {
    return new Idempotency(key, sent, intent, true);
  }
}
