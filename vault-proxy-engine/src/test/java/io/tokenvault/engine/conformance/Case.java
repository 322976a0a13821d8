package io.tokenvault.engine.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** One call of a transform; its result has the format of {@code conformance.js}. */
final class Case {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode given;

  Case(JsonNode given) {
    this.given = given;
  }

  ObjectNode run(WorkerTransforms transforms, TenantId tenant, String name, CompiledTransform code)
      throws IOException {
    Run run = new Run(tenant, name, () -> code, kind(), body(), context());
    Ending ending = transforms.run(run, Case::answer);
    return ending instanceof Ending.Said said
        ? told(said.finished())
        : JSON.createObjectNode().put("broken", ending.toString());
  }

  private static Host.Reply answer(String operation, String json) {
    boolean created = operation.equals("bt.tokens.create");
    return new Host.Reply(created, created ? "{\"id\":\"tok_" + json.length() + "\"}" : "{}");
  }

  private JsonNode plainBody() {
    return given.get("args").path("body");
  }

  private BodyKind kind() {
    if (given.has("binary")) {
      return BodyKind.BINARY;
    }
    if (plainBody().isMissingNode()) {
      return BodyKind.NONE;
    }
    return plainBody().isTextual() ? BodyKind.TEXT : BodyKind.JSON;
  }

  private byte[] body() throws IOException {
    return switch (kind()) {
      case BINARY -> Base64.getDecoder().decode(given.get("binary").textValue());
      case TEXT -> plainBody().textValue().getBytes(StandardCharsets.UTF_8);
      case JSON -> JSON.writeValueAsBytes(plainBody());
      case NONE, ABSENT -> new byte[0];
    };
  }

  private String context() throws IOException {
    ObjectNode context = JSON.createObjectNode();
    context.set("headers", given.get("args").get("headers"));
    context.put("method", "POST").put("path", "/");
    context.put("query", given.get("args").path("query").asText(""));
    context.set("configuration", given.get("configuration"));
    context.put("bt", given.path("bt").asBoolean());
    return JSON.writeValueAsString(context);
  }

  private static ObjectNode told(Finished finished) {
    ObjectNode told = told(finished.outcome());
    if (!finished.console().isEmpty()) {
      ArrayNode lines = told.putArray("console");
      for (ConsoleLine line : finished.console()) {
        lines.addArray().add(line.level()).add(line.text());
      }
    }
    return told;
  }

  private static ObjectNode told(Outcome outcome) {
    ObjectNode told = JSON.createObjectNode();
    if (outcome instanceof Outcome.Returned returned) {
      body(told, returned.kind(), returned.body());
      told.put("headers", returned.headers().orElse(null));
    } else if (outcome instanceof Outcome.Answered response) {
      told.put("answered", response.status());
      body(told, response.kind(), response.body());
      told.put("headers", response.headers());
    } else if (outcome instanceof Outcome.Threw threw) {
      told.put("threw", threw.status()).put("errors", threw.errors());
      told.put("line", threw.position().line());
    } else if (outcome instanceof Outcome.Failed failed) {
      told.put("failed", failed.kind().name()).put("line", failed.position().line());
    }
    return told;
  }

  private static void body(ObjectNode told, BodyKind kind, byte[] body) {
    told.put("kind", kind.name());
    told.put(
        "body",
        kind == BodyKind.BINARY
            ? Base64.getEncoder().encodeToString(body)
            : new String(body, StandardCharsets.UTF_8));
  }
}
