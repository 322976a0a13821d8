package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.rehearsal.SampleResponse;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.spi.JsonCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The steps of an invocation around the sending, which is left out, and what comes of them. For one
 * sample.
 */
final class DryRun {

  private final Bench bench;
  private final TransformHosts hosts;
  private final DryRunReport report;
  private final Map<String, JsonValue> found = new LinkedHashMap<>();

  DryRun(Bench bench, TransformHosts hosts) {
    this.bench = bench;
    this.hosts = hosts;
    this.report = new DryRunReport(bench.json());
  }

  /**
   * What all dry runs have in common.
   *
   * @param maxBody of what transforms take and give, in bytes
   */
  record Bench(TransformRunner runner, ServiceHeaders names, JsonCodec json, int maxBody) {
    HeaderRules rules() {
      return new HeaderRules(names);
    }
  }

  /** Adds a finding. */
  void note(String name, JsonValue finding) {
    found.put(name, finding);
  }

  /** All that was found, in its order. */
  JsonObject findings() {
    return new JsonObject(found);
  }

  /**
   * Everything up to the sending.
   *
   * @param programs all that the exchange runs
   * @return empty if nothing would be sent
   */
  Optional<Exchange> request(
      Exchange exchange, Function<Exchange, Map<TransformKind, Program>> programs) {
    return run(
        TransformKind.REQUEST,
        transforms -> {
          Exchange transformed =
              new TransformRequest(programs, transforms, bench.rules(), bench.maxBody())
                  .apply(exchange);
          return transformed.isAnsweredByTransform()
              ? transformed
              : new CheckHeaders(bench.rules()).apply(transformed);
        });
  }

  /** Notes what would be sent. */
  void sent(Exchange exchange, Map<String, JsonValue> target) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("method", JsonValue.of(exchange.call().method()));
    members.putAll(target);
    report.message(
        members, exchange.headers(), exchange.body().takeBytesIfAny().orElse(new byte[0]));
    note("request", new JsonObject(members));
  }

  /** Everything after the destination has answered. */
  void response(Exchange exchange, SampleResponse response) {
    Exchange answered = exchange.with(answer(response));
    run(
            TransformKind.RESPONSE,
            transforms -> {
              Exchange transformed =
                  new TransformResponse(transforms, bench.rules(), bench.maxBody()).apply(answered);
              return transformed.isAnsweredByTransform()
                  ? transformed
                  : new ReturnResponse(bench.rules(), bench.names()).apply(transformed);
            })
        .ifPresent(returned -> note("response", rendered(returned.answer().orElseThrow())));
  }

  private static ProxyAnswer answer(SampleResponse response) {
    byte[] body = response.message().bytes();
    return new ProxyAnswer(
        response.status(),
        response.message().headers(),
        new ByteArrayInputStream(body),
        OptionalLong.of(body.length));
  }

  private Optional<Exchange> run(TransformKind kind, Function<Transforms, Exchange> steps) {
    ObservedRunner runner = new ObservedRunner(bench.runner());
    try {
      Exchange next = steps.apply(new Transforms(runner, hosts, bench.maxBody()));
      Map<String, JsonValue> members = report.run(runner);
      if (next.isAnsweredByTransform()) {
        members.put("answer", rendered(next.answer().orElseThrow()));
      }
      if (runner.duration().isPresent()) {
        note(kind.property(), new JsonObject(members));
      }
      return next.isAnsweredByTransform() ? Optional.empty() : Optional.of(next);
    } catch (VaultException failed) {
      if (!isOfTransform(kind, runner, failed)) {
        throw failed;
      }
      Map<String, JsonValue> members = report.run(runner);
      members.put("error", report.error(failed));
      note(kind.property(), new JsonObject(members));
      return Optional.empty();
    }
  }

  private static boolean isOfTransform(
      TransformKind kind, ObservedRunner runner, VaultException failed) {
    return failed.failure().code() != FailureCode.UNAVAILABLE
        && (kind == TransformKind.RESPONSE
            || runner.duration().isPresent()
            || failed instanceof TransformFailedException);
  }

  private JsonValue rendered(ProxyAnswer answer) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("status", JsonValue.of(answer.status()));
    List<HeaderField> headers = answer.headers().stream().map(HeaderBytes::decode).toList();
    try (answer) {
      report.message(members, headers, answer.body().readAllBytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new JsonObject(members);
  }
}
