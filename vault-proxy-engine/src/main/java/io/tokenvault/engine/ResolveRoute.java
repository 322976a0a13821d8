package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.List;
import java.util.stream.Stream;

/** Reads who sends the request, and where to; decides nothing. */
final class ResolveRoute implements Step {

  private final ServiceHeaders names;

  ResolveRoute(ServiceHeaders names) {
    this.names = names;
  }

  @Override
  public String name() {
    return "ResolveRoute";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    ProxyCall call = exchange.call();
    return exchange
        .with(
            new Route(
                values(call, names.apiKey()).toList(),
                proxyKeys(call),
                values(call, names.proxyUrl()).distinct().toList()))
        .with(
            Target.of(
                call.path(),
                call.query().flatMap(raw -> new RawQuery(raw).without(names.proxyKeyParameter()))));
  }

  private List<String> proxyKeys(ProxyCall call) {
    Stream<String> inQuery =
        call.query().stream()
            .flatMap(raw -> new RawQuery(raw).values(names.proxyKeyParameter()).stream());
    return Stream.concat(values(call, names.proxyKey()), inQuery).distinct().toList();
  }

  private static Stream<String> values(ProxyCall call, String name) {
    return call.headers().stream().filter(field -> field.is(name)).map(HeaderField::value);
  }
}
