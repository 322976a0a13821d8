package io.tokenvault.engine;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.expression.TokenValues;
import io.tokenvault.engine.rehearsal.Sample;
import io.tokenvault.engine.rehearsal.SampleReader;
import io.tokenvault.engine.rehearsal.SampleRequest;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.Rehearsal;
import io.tokenvault.ports.usecase.RehearseProxies;
import io.tokenvault.ports.usecase.TokenPreview;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Does what the pipeline does, but sends nothing and knows masks only. */
final class Rehearsals implements RehearseProxy {

  private static final SensitiveValue NULL = SensitiveValue.ofText("null");
  private static final TokenPreview NONE = new TokenPreview(false, false, Optional.empty());

  private final RehearseProxies rehearse;
  private final Shop shop;

  Rehearsals(RehearseProxies rehearse, Shop shop) {
    this.rehearse = rehearse;
    this.shop = shop;
  }

  /** What rehearsals share with invocations. */
  record Shop(
      EgressPolicy policy,
      Programs programs,
      ServiceClient client,
      HeldBodies bodies,
      DryRun.Bench bench) {}

  @Override
  public JsonValue rehearse(Caller caller, ProxyId id, JsonValue json) {
    Sample sample = new SampleReader(shop.bench.json(), shop.bench.maxBody()).ofProxy(json);
    Rehearsal rehearsal = rehearse.begin(caller, id, sample.application());
    try (HeldBodies.Reservation memory = shop.bodies.open()) {
      Exchange exchange = begin(rehearsal, sample.request(), memory);
      DryRun run = new DryRun(shop.bench, hosts(rehearsal, sample, memory));
      Exchange filled = new CheckFinalUrl().apply(detokenize(rehearsal, sample, exchange, run));
      run.request(filled, unused -> shop.programs.of(rehearsal))
          .ifPresent(
              ready -> {
                run.sent(ready, Map.of("url", url(ready)));
                sample.response().ifPresent(response -> run.response(ready, response));
              });
      return run.findings();
    }
  }

  private Exchange begin(
      Rehearsal rehearsal, SampleRequest request, HeldBodies.Reservation memory) {
    Destination destination =
        CheckDestination.checked(rehearsal.proxy().settings().destinationUrl(), shop.policy);
    Target target = Target.of(request.path(), request.query());
    target.requireNoDotSegment();
    ProxyCall call =
        new ProxyCall(
            request.method(),
            request.path(),
            request.query(),
            request.message().headers(),
            InputStream.nullInputStream(),
            OptionalLong.empty());
    memory.hold(request.message().bytes().length);
    return Exchange.begin(call, memory).with(target).with(destination);
  }

  private DryRunHosts hosts(Rehearsal rehearsal, Sample sample, HeldBodies.Reservation memory) {
    return new DryRunHosts(
        rehearsal.configuration(),
        rehearsal.proxy().settings().applicationId().isPresent(),
        sample.mocks(),
        Optional.of(
            (operation, arguments) ->
                new ClientJson(shop.bench.json())
                    .call(
                        shop.client,
                        rehearse.acting(rehearsal).orElseThrow(),
                        operation,
                        arguments,
                        memory)));
  }

  /** As with {@link Detokenize}, nobody has expressions replaced without an application. */
  private Exchange detokenize(Rehearsal rehearsal, Sample sample, Exchange exchange, DryRun run) {
    List<HeaderField> received = exchange.call().headers();
    List<HeaderField> fields = shop.bench.rules().outgoing(received);
    Optional<byte[]> body = sample.request().message().body();
    boolean off = new DetokenizeHeader(shop.bench.names()).isOff(received);
    if (off || sample.application().isEmpty()) {
      run.note("expressions", new JsonArray(List.of()));
      return exchange.with(fields).with(body.map(Body::complete).orElseGet(Body::none));
    }
    Optional<Templates.HeldText> held =
        body.flatMap(
            bytes -> HoldBody.textual(received).map(kind -> new Templates.HeldText(bytes, kind)));
    Templates templates = Templates.read(exchange.target(), fields, held, exchange.memory());
    Set<String> ids = templates.tokenIds();
    Map<String, TokenPreview> previews =
        rehearse.preview(rehearsal, exchange.destination(), ids, exchange.memory());
    run.note("expressions", expressions(ids, previews));
    return Detokenize.fill(
        exchange.with(body.map(Body::complete).orElseGet(Body::none)),
        templates,
        TokenValues.ofMasks(masks(previews), exchange.memory()),
        held);
  }

  private static Map<String, SensitiveValue> masks(Map<String, TokenPreview> previews) {
    Map<String, SensitiveValue> masks = new LinkedHashMap<>();
    previews.forEach(
        (id, preview) ->
            preview
                .mask()
                .filter(mask -> !mask.equals(NULL))
                .ifPresent(mask -> masks.put(id, mask)));
    return masks;
  }

  private static JsonArray expressions(Set<String> ids, Map<String, TokenPreview> previews) {
    List<JsonValue> expressions = new ArrayList<>();
    for (String id : ids) {
      TokenPreview preview = previews.getOrDefault(id, NONE);
      Map<String, JsonValue> members = new LinkedHashMap<>();
      members.put("id", JsonValue.of(id));
      members.put("exists", JsonValue.of(previews.containsKey(id)));
      members.put("usable", JsonValue.of(preview.usable()));
      members.put("deliverable", JsonValue.of(preview.deliverable()));
      expressions.add(new JsonObject(members));
    }
    return new JsonArray(expressions);
  }

  private static JsonValue url(Exchange exchange) {
    Target target = exchange.target();
    return JsonValue.of(
        exchange.destination().origin()
            + target.path()
            + target.query().map(query -> "?" + query).orElse(""));
  }
}
