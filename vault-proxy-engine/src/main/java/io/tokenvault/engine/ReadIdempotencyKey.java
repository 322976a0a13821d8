package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.RepeatableInvocations;
import java.util.List;
import java.util.Optional;

/** Reads whether the caller may send the request again, before its body is read. */
final class ReadIdempotencyKey implements Step {

  private final String name;

  ReadIdempotencyKey(ServiceHeaders names) {
    this.name = names.idempotencyKey();
  }

  @Override
  public String name() {
    return "ReadIdempotencyKey";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    List<String> values =
        exchange.call().headers().stream()
            .filter(field -> field.is(name))
            .map(HeaderField::value)
            .toList();
    if (values.isEmpty()) {
      return exchange;
    }
    RepeatableInvocations.requireKey(exchange.admission(), name);
    Optional<IdempotencyKey> key = IdempotencyKey.read(name, values);
    return exchange.with(Repetition.of(key.orElseThrow()));
  }
}
