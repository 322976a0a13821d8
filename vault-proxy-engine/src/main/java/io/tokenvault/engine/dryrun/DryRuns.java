package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.engine.pipeline.Detokenize;
import io.tokenvault.engine.transform.Programs;
import io.tokenvault.engine.transform.TransformHost.ClientJson;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyDryRun;
import io.tokenvault.ports.api.ServiceClient;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.DryRunProxies;
import io.tokenvault.ports.usecase.proxy.DryRunProxies.AdmittedDryRun;
import io.tokenvault.ports.usecase.proxy.ProxyTransform;
import io.tokenvault.ports.usecase.token.TokenDecryptor.TokenPreview;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs the steps of an invocation on a sample, but sends nothing and replaces expressions by masks.
 */
public final class DryRuns implements ProxyDryRun {

  /** A mask of JSON null, which is treated as if there were none. */
  private static final SensitiveValue NULL = SensitiveValue.ofText("null");

  /** The preview of an id for which there is no token. */
  private static final TokenPreview NONE = new TokenPreview(false, false, Optional.empty());

  private final DryRunProxies proxies;
  private final Dependencies dependencies;

  public DryRuns(DryRunProxies proxies, Dependencies dependencies) {
    this.proxies = proxies;
    this.dependencies = dependencies;
  }

  /** Dependencies that dry runs share with invocations. */
  public record Dependencies(
      Consumer<Exchange> checkDestination,
      Consumer<Exchange> bufferBody,
      Programs programs,
      ServiceClient client,
      BodyMemoryBudget bodies,
      DryRun.Dependencies perRun) {}

  /**
   * Runs a proxy on a sample and returns the findings.
   *
   * @param json the sample, as {@link SampleReader} reads it
   * @throws io.tokenvault.domain.failure.VaultException if the caller may not run it, the sample is
   *     invalid, or a step other than a transform refuses the request
   */
  @Override
  public JsonValue dryRun(Caller caller, ProxyId id, JsonValue json) {
    Sample sample =
        new SampleReader(dependencies.perRun.json(), dependencies.perRun.maxBody()).ofProxy(json);
    AdmittedDryRun admitted = proxies.begin(caller, id, sample.application());
    try (BodyMemoryBudget.Reservation memory = dependencies.bodies.open()) {
      ProxyCall call = DryRun.call(sample.request());
      Exchange exchange =
          Exchange.beginDryRun(
              call, Route.read(call, dependencies.perRun.names()), memory, admitted);
      DryRun run =
          new DryRun(
              dependencies.perRun,
              hosts(admitted, sample, memory),
              kind -> admitted.transform(kind).map(ProxyTransform::code));
      List.of(
              dependencies.checkDestination,
              dependencies.bufferBody,
              new Detokenize(masks(admitted, run), dependencies.perRun.rules(), unsent -> {}))
          .forEach(step -> step.accept(exchange));
      run.request(
          exchange,
          unused -> dependencies.programs.ofDryRun(admitted),
          sample.response(),
          sent -> Map.of("url", url(sent)));
      return run.findings();
    }
  }

  /** Returns hosts that read the vault as the application of the proxy. */
  private DryRunHosts hosts(
      AdmittedDryRun admitted, Sample sample, BodyMemoryBudget.Reservation memory) {
    ClientJson json = new ClientJson(dependencies.perRun.json());
    DryRunHosts.Reading reading =
        (operation, arguments) -> {
          Caller acting = proxies.acting(admitted).orElseThrow();
          return json.call(dependencies.client, acting, operation, arguments, memory);
        };
    return new DryRunHosts(
        admitted.proxy().orElseThrow().settings().applicationId().isPresent(),
        sample.mocks(),
        Optional.of(reading));
  }

  /**
   * Returns access to masks in place of token data, which reports the tokens' availability to the
   * invoker.
   */
  private Detokenize.TokenAccess masks(AdmittedDryRun admitted, DryRun run) {
    return (exchange, ids) -> {
      Map<String, TokenPreview> previews =
          exchange.isDetokenized()
              ? proxies.preview(admitted, exchange.destination(), ids, exchange.memory())
              : Map.of();
      run.note("expressions", expressions(ids, previews));
      return TokenValues.ofMasks(masks(previews), exchange.memory());
    };
  }

  /** Returns the masks that are not null, by token id. */
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

  /**
   * Reports for each token whether it exists, and whether the invoker may use it and send it to
   * this destination.
   */
  private static JsonArray expressions(Set<String> ids, Map<String, TokenPreview> previews) {
    List<JsonValue> expressions = new ArrayList<>();
    for (String id : ids) {
      TokenPreview preview = previews.getOrDefault(id, NONE);
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      properties.put("id", JsonValue.of(id));
      properties.put("exists", JsonValue.of(previews.containsKey(id)));
      properties.put("usable", JsonValue.of(preview.usable()));
      properties.put("deliverable", JsonValue.of(preview.deliverable()));
      expressions.add(new JsonObject(properties));
    }
    return new JsonArray(expressions);
  }

  private static JsonValue url(OutgoingRequest sent) {
    return JsonValue.of(
        sent.destination().origin()
            + sent.path()
            + sent.query().map(query -> "?" + query).orElse(""));
  }
}
