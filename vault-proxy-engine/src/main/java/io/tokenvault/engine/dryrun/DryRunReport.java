package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.dryrun.DryRun.ObservedRunner;
import io.tokenvault.engine.transform.ProblemJson;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.ContentCodings;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Renders the findings of a dry run as JSON. */
final class DryRunReport {

  private final JsonCodec json;

  DryRunReport(JsonCodec json) {
    this.json = json;
  }

  /** Adds headers and, if there is one, the body. */
  void message(Map<String, JsonValue> members, List<HeaderField> fields, byte[] body) {
    members.put("headers", headers(fields));
    body(fields, body).ifPresent(value -> members.put("body", value));
  }

  /** Returns headers as an object; repeated headers become an array under their first spelling. */
  private static JsonValue headers(List<HeaderField> fields) {
    Map<String, String> spellings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, List<JsonValue>> values = new LinkedHashMap<>();
    for (HeaderField field : fields) {
      String name = spellings.computeIfAbsent(field.name(), each -> each);
      values.computeIfAbsent(name, each -> new ArrayList<>()).add(JsonValue.of(field.value()));
    }
    Map<String, JsonValue> members = new LinkedHashMap<>();
    values.forEach(
        (name, all) -> members.put(name, all.size() == 1 ? all.get(0) : new JsonArray(all)));
    return new JsonObject(members);
  }

  /**
   * Returns the body as JSON or a string if its type says so and it can be read, and otherwise as
   * {@code base64}.
   */
  private Optional<JsonValue> body(List<HeaderField> fields, byte[] body) {
    boolean coded =
        !ContentCodings.of(Headers.value(fields, "Content-Encoding"))
            .equals(Optional.of(ContentCodings.NONE));
    try {
      Optional<String> type = coded ? Optional.empty() : Headers.value(fields, "Content-Type");
      Content content = Content.of(type, Optional.of(body));
      return switch (content.kind()) {
        case JSON -> Optional.of(value(content.bytes()));
        case TEXT -> Optional.of(text(content.bytes()));
        case BINARY -> Optional.of(binary(body));
        case NONE, ABSENT -> Optional.empty();
      };
    } catch (UnusableContentException unreadable) {
      return Optional.of(binary(body));
    }
  }

  /**
   * Returns a JSON body as a value, or as a string if it exceeds the vault's own limits for JSON.
   */
  private JsonValue value(byte[] utf8) {
    try {
      return json.read(utf8);
    } catch (ValidationException unusual) {
      return text(utf8);
    }
  }

  private static JsonValue text(byte[] utf8) {
    return JsonValue.of(new String(utf8, StandardCharsets.UTF_8));
  }

  /** Returns an object with the bytes as {@code base64}. */
  private static JsonValue binary(byte[] body) {
    String text = Base64.getEncoder().encodeToString(body);
    return new JsonObject(Map.of("base64", JsonValue.of(text)));
  }

  /** Returns the duration and the console output of a transform. */
  Map<String, JsonValue> run(ObservedRunner runner) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    runner.duration().ifPresent(time -> members.put("duration_ms", JsonValue.of(time.toMillis())));
    members.put(
        "console", new JsonArray(runner.console().stream().map(DryRunReport::line).toList()));
    return members;
  }

  /** Returns a console line as JSON. */
  private static JsonValue line(ConsoleLine line) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("level", new JsonString(line.level()));
    members.put("text", new JsonString(line.text()));
    return new JsonObject(members);
  }

  /**
   * Returns the problem that the caller of an invocation would receive, with the line of the
   * transform's code if it is known.
   */
  JsonValue error(VaultException failed) {
    byte[] problem = ProblemJson.of(failed).getBytes(StandardCharsets.UTF_8);
    Map<String, JsonValue> members =
        new LinkedHashMap<>(((JsonObject) json.read(problem)).members());
    if (failed instanceof TransformFailedException transform && transform.line() > 0) {
      members.put("line", JsonValue.of(transform.line()));
    }
    return new JsonObject(members);
  }
}
