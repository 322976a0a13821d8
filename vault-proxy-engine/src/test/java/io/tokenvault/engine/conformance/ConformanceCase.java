package io.tokenvault.engine.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** One call of a transform; its result has the format of {@code conformance.js}. */
final class ConformanceCase {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode definition;

  ConformanceCase(JsonNode definition) {
    this.definition = definition;
  }

  ObjectNode run(WorkerTransforms transforms, TenantId tenant, String name, CompiledTransform code)
      throws IOException {
    Program program = new Program(TransformKind.REQUEST, tenant, name, () -> code);
    Run run = new Run(program, new Content(kind(), body()), context());
    Ending ending = transforms.run(run, ConformanceCase::reply);
    return ending instanceof Ending.Reported reported
        ? toJson(reported.finished())
        : JSON.createObjectNode().put("broken", ending.toString());
  }

  private static Host.Reply reply(String operation, String json) {
    boolean created = operation.equals("bt.tokens.create");
    return new Host.Reply(created, created ? "{\"id\":\"tok_" + json.length() + "\"}" : "{}");
  }

  private JsonNode plainBody() {
    return definition.get("args").path("body");
  }

  private BodyKind kind() {
    if (definition.has("binary")) {
      return BodyKind.BINARY;
    }
    if (plainBody().isMissingNode()) {
      return BodyKind.NONE;
    }
    return plainBody().isTextual() ? BodyKind.TEXT : BodyKind.JSON;
  }

  private byte[] body() throws IOException {
    return switch (kind()) {
      case BINARY -> Base64.getDecoder().decode(definition.get("binary").textValue());
      case TEXT -> plainBody().textValue().getBytes(StandardCharsets.UTF_8);
      case JSON -> JSON.writeValueAsBytes(plainBody());
      case NONE, ABSENT -> new byte[0];
    };
  }

  private String context() throws IOException {
    ObjectNode context = JSON.createObjectNode();
    context.set("headers", definition.get("args").get("headers"));
    context.put("method", "POST").put("path", "/");
    context.put("query", definition.get("args").path("query").asText(""));
    context.set("configuration", definition.get("configuration"));
    context.put("bt", definition.path("bt").asBoolean());
    return JSON.writeValueAsString(context);
  }

  private static ObjectNode toJson(Finished finished) {
    ObjectNode json = toJson(finished.outcome());
    if (!finished.console().isEmpty()) {
      ArrayNode lines = json.putArray("console");
      for (ConsoleLine line : finished.console()) {
        lines.addArray().add(line.level()).add(line.text());
      }
    }
    return json;
  }

  private static ObjectNode toJson(Outcome outcome) {
    ObjectNode json = JSON.createObjectNode();
    if (outcome instanceof Outcome.Returned returned) {
      putBody(json, returned.kind(), returned.body());
      json.put("headers", returned.headers().orElse(null));
    } else if (outcome instanceof Outcome.ResponseThrown response) {
      json.put("answered", response.status());
      putBody(json, response.kind(), response.body());
      json.put("headers", response.headers());
    } else if (outcome instanceof Outcome.ErrorThrown threw) {
      json.put("threw", threw.status()).put("errors", threw.errors());
      json.put("line", threw.position().line());
    } else if (outcome instanceof Outcome.Failed failed) {
      json.put("failed", failed.kind().name()).put("line", failed.position().line());
    }
    return json;
  }

  private static void putBody(ObjectNode json, BodyKind kind, byte[] body) {
    json.put("kind", kind.name());
    json.put(
        "body",
        kind == BodyKind.BINARY
            ? Base64.getEncoder().encodeToString(body)
            : new String(body, StandardCharsets.UTF_8));
  }
}
