package io.tokenvault.engine;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.SentRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes down what tells a request that may be sent again from another one, before expressions are
 * replaced: where it goes, its query, how its body is to be read, and the body.
 */
final class DigestRequest implements Step {

  private static final String PATH = "/proxy";
  private static final byte[] NONE = {};

  private final ServiceHeaders names;

  DigestRequest(ServiceHeaders names) {
    this.names = names;
  }

  @Override
  public String name() {
    return "DigestRequest";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    Optional<IdempotencyKey> key = exchange.repetition().key();
    return key.isEmpty()
        ? exchange
        : exchange.with(exchange.repetition().with(digest(exchange, key.get())));
  }

  private SentRequest digest(Exchange exchange, IdempotencyKey key) {
    ProxyCall call = exchange.call();
    return new SentRequest(
        key,
        call.method(),
        PATH + call.path(),
        rest(exchange),
        exchange.body().bytes().orElse(NONE));
  }

  private List<String> rest(Exchange exchange) {
    List<String> rest = new ArrayList<>();
    rest.add(exchange.target().query().orElse(""));
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
}
