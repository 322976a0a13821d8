package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.dryrun.Sample.Request;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.NoProxy;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.exchange.RequestTarget;
import io.tokenvault.engine.exchange.Route;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation.Flaw;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Runs code that belongs to no proxy on a sample, without a vault. */
public final class FileDryRun {

  /** Placeholder tenant; the code belongs to none. */
  private static final TenantId NOBODY = new TenantId(new UUID(0, 1));

  /** Placeholder destination; {@code .invalid} is reserved and never resolves (RFC 2606). */
  private static final Destination NOWHERE =
      new Destination("nowhere.invalid", 443, "", Optional.empty());

  private final TransformRuntime runtime;
  private final DryRun.Dependencies dependencies;

  /**
   * Creates a dry run.
   *
   * @param runtime compiles the code
   * @param runner runs it in isolation
   * @param maxBody limit in bytes of its input and output
   */
  public FileDryRun(TransformRuntime runtime, TransformRunner runner, JsonCodec json, int maxBody) {
    this.runtime = runtime;
    this.dependencies = new DryRun.Dependencies(runner, ServiceHeaders.DEFAULT, json, maxBody);
  }

  /**
   * Compiles the code and runs it on a sample; fetches and client calls are served by mocks only.
   *
   * @param kind the transform that the code implements
   * @param json the sample, as {@link SampleReader} reads it
   * @return the findings; the flaws of code that does not compile, and a failure, are {@code error}
   *     under the property of the transform's kind
   * @throws ValidationException listing every violation of the sample
   */
  public JsonObject run(TransformKind kind, TransformCode code, JsonValue json) {
    Sample sample = new SampleReader(dependencies.json(), dependencies.maxBody()).ofFile(json);
    if (kind == TransformKind.RESPONSE && sample.response().isEmpty()) {
      throw ValidationException.of("response", "is required");
    }
    Compilation compilation = runtime.compile(NOBODY, code);
    if (compilation instanceof Compilation.Refused refused) {
      return new JsonObject(Map.of(kind.property(), refused(refused.flaws(), code)));
    }
    Compilation.Compiled compiled = (Compilation.Compiled) compilation;
    Program program = new Program(kind, NOBODY, "file", compiled::transform);
    return run(Map.of(kind, program), code, sample);
  }

  /** Reports the flaws for which the compiler refuses the code. */
  private static JsonValue refused(List<Flaw> flaws, TransformCode code) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("title", JsonValue.of("The code was rejected"));
    properties.put("flaws", new JsonArray(flaws.stream().map(flaw -> flaw(flaw, code)).toList()));
    return new JsonObject(Map.of("error", new JsonObject(properties)));
  }

  private static JsonValue flaw(Flaw flaw, TransformCode code) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("line", JsonValue.of(flaw.line()));
    properties.put("column", JsonValue.of(flaw.column()));
    properties.put("message", JsonValue.of(flaw.message()));
    properties.put(
        "frame", JsonValue.of(DryRunReport.frame(code.source(), flaw.line(), flaw.column())));
    return new JsonObject(properties);
  }

  /**
   * Runs the request transform up to sending, or the response transform on the sample's response.
   */
  private JsonObject run(Map<TransformKind, Program> programs, TransformCode code, Sample sample) {
    DryRun run =
        new DryRun(
            dependencies,
            new DryRunHosts(true, sample.mocks(), Optional.empty()),
            kind -> Optional.of(code));
    BodyMemoryBudget bodies = new BodyMemoryBudget(Long.MAX_VALUE / 2);
    try (BodyMemoryBudget.Reservation memory = bodies.open()) {
      Exchange exchange = begin(sample, memory);
      if (programs.containsKey(TransformKind.REQUEST)) {
        run.request(
            exchange, unused -> programs, Optional.empty(), sent -> target(sample.request()));
      } else {
        exchange.setPrograms(programs);
        exchange.setResponse(DryRun.toResponse(sample.response().orElseThrow()));
        run.response(exchange);
      }
      return run.findings();
    }
  }

  /** Returns an exchange as if the steps before the transform had run. */
  private Exchange begin(Sample sample, BodyMemoryBudget.Reservation memory) {
    ProxyCall call = DryRun.call(sample.request());
    Exchange exchange =
        Exchange.beginDryRun(
            call,
            Route.read(call, dependencies.names()),
            memory,
            new NoProxy(
                SensitiveValue.of(dependencies.json().write(sample.configuration())), false));
    exchange.setDestination(NOWHERE);
    exchange.setTarget(RequestTarget.of(call.path(), call.query()));
    exchange.setHeaders(dependencies.rules().fromCaller(call.headers()));
    exchange.setBody(InvocationBody.of(sample.request().message().body()));
    return exchange;
  }

  /** Reports path and query only: there is no destination. */
  private static Map<String, JsonValue> target(Request request) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("path", JsonValue.of(request.path()));
    request.query().ifPresent(query -> properties.put("query", JsonValue.of(query)));
    return properties;
  }
}
