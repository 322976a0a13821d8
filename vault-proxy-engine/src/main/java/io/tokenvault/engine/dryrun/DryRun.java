package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.dryrun.Sample.Request;
import io.tokenvault.engine.dryrun.Sample.Response;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.engine.forward.OutgoingRequest.BodyRefusedException;
import io.tokenvault.engine.forward.OutgoingRequest.OutgoingBody;
import io.tokenvault.engine.pipeline.Forward;
import io.tokenvault.engine.pipeline.TransformRequest;
import io.tokenvault.engine.pipeline.TransformResponse;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.Transforms;
import io.tokenvault.engine.transform.Transforms.TransformHosts;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.JsonCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs the steps of one invocation from its request transform on, with a recording sender in place
 * of the real one, and collects findings. An instance serves one sample.
 */
public final class DryRun {

  /** The response used if the sample has none. */
  private static final ProxyResponse NO_RESPONSE =
      new ProxyResponse(204, List.of(), InputStream.nullInputStream(), OptionalLong.empty());

  private final Dependencies dependencies;
  private final TransformHosts hosts;
  private final Function<TransformKind, Optional<TransformCode>> codes;
  private final DryRunReport report;
  private final Map<String, JsonValue> found = new LinkedHashMap<>();

  /**
   * Creates a dry run that has no findings yet.
   *
   * @param hosts serves the fetches and client calls of the transforms
   * @param codes returns the source of a transform, which errors quote
   */
  DryRun(
      Dependencies dependencies,
      TransformHosts hosts,
      Function<TransformKind, Optional<TransformCode>> codes) {
    this.dependencies = dependencies;
    this.hosts = hosts;
    this.codes = codes;
    this.report = new DryRunReport(dependencies.json());
  }

  /**
   * Dependencies that all dry runs share.
   *
   * @param names names of the headers that belong to the service
   * @param maxBody limit in bytes of a transform's input and output
   */
  public record Dependencies(
      TransformRunner runner, ServiceHeaders names, JsonCodec json, int maxBody) {
    /** Returns the rules for headers that apply to invocations. */
    HeaderRules rules() {
      return new HeaderRules(names);
    }
  }

  void note(String name, JsonValue finding) {
    found.put(name, finding);
  }

  /** Returns all findings, in the order in which they were added. */
  JsonObject findings() {
    return new JsonObject(found);
  }

  /**
   * Runs everything up to the sending of the request, and reports the request that would be sent.
   * If the sample has a response, the response transform runs too.
   *
   * @param programs returns all transforms that the exchange runs
   * @param target returns the properties that report where the request would be sent
   */
  void request(
      Exchange exchange,
      Function<Exchange, Map<TransformKind, Program>> programs,
      Optional<Response> response,
      Function<OutgoingRequest, Map<String, JsonValue>> target) {
    List<OutgoingRequest> sent = new ArrayList<>(1);
    Forward.Sender recorder =
        (request, caller) -> {
          sent.add(request);
          return response.map(DryRun::toResponse).orElse(NO_RESPONSE);
        };
    run(
        exchange,
        TransformKind.REQUEST,
        transforms ->
            List.of(
                new TransformRequest(
                    programs, transforms, dependencies.rules(), dependencies.maxBody()),
                new Forward(recorder, proxy -> Optional.empty(), dependencies.rules())));
    if (!sent.isEmpty()) {
      note("request", rendered(sent.get(0), target.apply(sent.get(0))));
      response.ifPresent(given -> response(exchange));
    }
  }

  /**
   * Runs the steps that follow the destination's response, and reports the response that the caller
   * would receive.
   */
  void response(Exchange exchange) {
    if (run(
        exchange,
        TransformKind.RESPONSE,
        transforms ->
            List.of(
                new TransformResponse(
                    transforms,
                    dependencies.rules(),
                    dependencies.names(),
                    dependencies.maxBody())))) {
      note("response", rendered(exchange.response().orElseThrow()));
    }
  }

  static ProxyCall call(Request request) {
    Optional<byte[]> body = request.message().body();
    return new ProxyCall(
        request.method(),
        request.path(),
        request.query(),
        request.message().headers().stream().map(HeaderRules::encode).toList(),
        new ByteArrayInputStream(request.message().bytes()),
        body.map(bytes -> OptionalLong.of(bytes.length)).orElseGet(OptionalLong::empty));
  }

  /** Returns the sample's response as if a destination had sent it. */
  static ProxyResponse toResponse(Response response) {
    byte[] body = response.message().bytes();
    return new ProxyResponse(
        response.status(),
        response.message().headers(),
        new ByteArrayInputStream(body),
        OptionalLong.of(body.length));
  }

  /**
   * Runs steps and reports duration, console and error of the transform among them.
   *
   * @return whether the exchange continues
   */
  private boolean run(
      Exchange exchange, TransformKind kind, Function<Transforms, List<Consumer<Exchange>>> steps) {
    ObservedRunner runner = new ObservedRunner(dependencies.runner());
    try {
      for (Consumer<Exchange> step :
          steps.apply(new Transforms(runner, hosts, dependencies.maxBody()))) {
        if (!exchange.isOver()) {
          step.accept(exchange);
        }
      }
      Map<String, JsonValue> properties = report.run(runner);
      if (exchange.isOver()) {
        properties.put("answer", rendered(exchange.response().orElseThrow()));
      }
      if (runner.duration().isPresent()) {
        note(kind.property(), new JsonObject(properties));
      }
      return !exchange.isOver();
    } catch (VaultException failed) {
      if (!isOfTransform(kind, runner, failed)) {
        throw failed;
      }
      Map<String, JsonValue> properties = report.run(runner);
      properties.put("error", report.error(failed, runner.ending(), codes.apply(kind)));
      note(kind.property(), new JsonObject(properties));
      return false;
    }
  }

  /**
   * Returns whether a failure is a finding about the transform, rather than a failure of the dry
   * run itself such as an overload.
   */
  private static boolean isOfTransform(
      TransformKind kind, ObservedRunner runner, VaultException failed) {
    return failed.failure().code() != FailureCode.UNAVAILABLE
        && (kind == TransformKind.RESPONSE
            || runner.duration().isPresent()
            || failed instanceof TransformFailedException);
  }

  private JsonValue rendered(OutgoingRequest request, Map<String, JsonValue> target) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("method", JsonValue.of(request.method()));
    properties.putAll(target);
    InputStream body =
        request.body().map(OutgoingBody::content).orElseGet(InputStream::nullInputStream);
    report.message(properties, request.headers(), read(body));
    return new JsonObject(properties);
  }

  /** Returns a response as JSON, with its headers decoded to UTF-8. */
  private JsonValue rendered(ProxyResponse response) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("status", JsonValue.of(response.status()));
    List<HeaderField> headers = response.headers().stream().map(HeaderRules::decode).toList();
    report.message(properties, headers, read(response.body()));
    return new JsonObject(properties);
  }

  private static byte[] read(InputStream body) {
    try (body) {
      return body.readAllBytes();
    } catch (BodyRefusedException refused) {
      throw refused.refusal();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Runs one transform and keeps its duration and its end. Not thread-safe. */
  static final class ObservedRunner implements TransformRunner {

    private final TransformRunner runner;
    private Optional<Duration> duration = Optional.empty();
    private Optional<Finished> finished = Optional.empty();

    ObservedRunner(TransformRunner runner) {
      this.runner = runner;
    }

    @Override
    public Ending run(Run run, Host host) {
      long began = System.nanoTime();
      Ending ending = runner.run(run, host);
      duration = Optional.of(Duration.ofNanos(System.nanoTime() - began));
      if (ending instanceof Ending.Reported reported) {
        finished = Optional.of(reported.finished());
      }
      return ending;
    }

    /** Returns how long the transform ran; empty if none has run. */
    Optional<Duration> duration() {
      return duration;
    }

    /** Returns the lines that the transform wrote to its console. */
    List<ConsoleLine> console() {
      return finished.map(Finished::console).orElse(List.of());
    }

    /** Returns the end of the transform; empty if its worker reported none. */
    Optional<Finished> ending() {
      return finished;
    }
  }
}
