package io.tokenvault.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.FailureCode;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.ports.usecase.Caller;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the transforms of one invocation ask for: under the rights of the proxy's application,
 * and by the rules for destinations. What is under way when the run is over is broken off.
 */
final class TransformHost implements TransformRunner.Host, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TransformHost.class);
  private static final String CLIENT = "bt.";
  private static final int FAULT = 500;

  private final Exchange exchange;
  private final TransformHosts hosts;
  private final RunEnd end = new RunEnd();

  TransformHost(Exchange exchange, TransformHosts hosts) {
    this.exchange = exchange;
    this.hosts = hosts;
    exchange.call().caller().whenGone(end::come);
  }

  @Override
  public Reply call(String operation, String json) {
    try {
      return new Reply(true, done(operation, json));
    } catch (VaultException refused) {
      return refused(refused);
    } catch (RuntimeException fault) {
      LOG.error("what a transform asked for failed with {}", fault.getClass().getName());
      return new Reply(false, problem(FAULT, "Internal error", "The server failed.", Map.of()));
    }
  }

  private String done(String operation, String json) {
    if (end.isOver()) {
      throw new RefusedException(FailureCause.CALLER_GONE, "The invocation is over.");
    }
    if (operation.equals("fetch")) {
      return hosts.fetches().fetch(exchange, json, end);
    }
    String name = operation.startsWith(CLIENT) ? operation.substring(CLIENT.length()) : operation;
    if (!operation.startsWith(CLIENT) || !hosts.client().operations().contains(name)) {
      throw ValidationException.of("error", "There is no such operation.");
    }
    return client(name, json);
  }

  private String client(String name, String json) {
    List<JsonValue> arguments = arguments(json);
    Caller caller =
        hosts
            .invocations()
            .acting(exchange.admission(), exchange.destination())
            .orElseThrow(
                () ->
                    new RefusedException(
                        FailureCause.PERMISSION_DENIED, "The proxy has no application."));
    JsonValue result = hosts.client().call(caller, name, arguments);
    return result == null ? "null" : new String(hosts.json().write(result), StandardCharsets.UTF_8);
  }

  private List<JsonValue> arguments(String json) {
    if (hosts.json().read(json.getBytes(StandardCharsets.UTF_8)) instanceof JsonArray arguments) {
      return arguments.items();
    }
    throw ValidationException.of("error", "The arguments are no list.");
  }

  private static Reply refused(VaultException refused) {
    return new Reply(
        false,
        problem(
            status(refused),
            refused.failure().title(),
            refused.getMessage(),
            refused instanceof ValidationException invalid ? invalid.errors() : Map.of()));
  }

  private static int status(VaultException refused) {
    return refused instanceof TransformFailedException failed
        ? failed.status()
        : status(refused.failure().code());
  }

  /** As the web edge has it. */
  private static int status(FailureCode code) {
    return switch (code) {
      case INVALID -> 400;
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case CONFLICT -> 409;
      case TOO_LARGE -> 413;
      case LIMIT_EXCEEDED -> 429;
      case SCRIPT_FAILED -> FAULT;
      case UPSTREAM_FAILED -> 502;
      case UPSTREAM_TIMEOUT -> 504;
      case UNAVAILABLE -> 503;
    };
  }

  private static String problem(
      int status, String title, String detail, Map<String, List<String>> errors) {
    ObjectNode problem = Json.object();
    problem.put("status", status).put("title", title).put("detail", detail);
    ObjectNode all = problem.putObject("errors");
    errors.forEach((path, messages) -> messages.forEach(all.putArray(path)::add));
    return Json.write(problem);
  }

  @Override
  public void close() {
    end.come();
  }
}
