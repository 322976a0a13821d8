package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.dryrun.DryRun.ObservedRunner;
import io.tokenvault.engine.transform.ProblemJson;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Renders the findings of a dry run as JSON. */
final class DryRunReport {

  /** The number of lines that a frame shows before and after the line of an error. */
  private static final int FRAME_LINES = 2;

  /** The number of characters of a line that a frame shows. */
  private static final int FRAME_WIDTH = 160;

  private static final Pattern LINE_BREAK = Pattern.compile("\r\n|[\n\r\u2028\u2029]");

  private final JsonCodec json;

  DryRunReport(JsonCodec json) {
    this.json = json;
  }

  /** Adds headers and, if there is one, the body. */
  void message(Map<String, JsonValue> properties, List<HeaderField> fields, byte[] body) {
    properties.put("headers", headers(fields));
    body(fields, body).ifPresent(value -> properties.put("body", value));
  }

  /** Returns headers as an object; repeated headers become an array under their first spelling. */
  private static JsonValue headers(List<HeaderField> fields) {
    Map<String, String> spellings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, List<JsonValue>> values = new LinkedHashMap<>();
    for (HeaderField field : fields) {
      String name = spellings.computeIfAbsent(field.name(), each -> each);
      values.computeIfAbsent(name, each -> new ArrayList<>()).add(text(field.value()));
    }
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    values.forEach(
        (name, all) -> properties.put(name, all.size() == 1 ? all.get(0) : new JsonArray(all)));
    return new JsonObject(properties);
  }

  /**
   * Returns the body as JSON or a string if its type says so and it can be read, and otherwise as
   * {@code base64}.
   */
  private Optional<JsonValue> body(List<HeaderField> fields, byte[] body) {
    try {
      Content content = Content.of(fields, Optional.of(body));
      return switch (content.kind()) {
        case JSON -> Optional.of(value(content.bytes()));
        case TEXT -> Optional.of(text(new String(content.bytes(), StandardCharsets.UTF_8)));
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
      return text(new String(utf8, StandardCharsets.UTF_8));
    }
  }

  /** Returns a text, which may be any that a transform can produce. */
  private static JsonValue text(String text) {
    return JsonValue.of(Json.acceptable(text));
  }

  /** Returns an object with the bytes as {@code base64}. */
  private static JsonValue binary(byte[] body) {
    String text = Base64.getEncoder().encodeToString(body);
    return new JsonObject(Map.of("base64", JsonValue.of(text)));
  }

  /** Returns the duration and the console output of a transform. */
  Map<String, JsonValue> run(ObservedRunner runner) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    runner
        .duration()
        .ifPresent(time -> properties.put("duration_ms", JsonValue.of(time.toMillis())));
    properties.put(
        "console", new JsonArray(runner.console().stream().map(DryRunReport::line).toList()));
    return properties;
  }

  private static JsonValue line(ConsoleLine line) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put("level", new JsonString(line.level()));
    properties.put("text", text(line.text()));
    return new JsonObject(properties);
  }

  /**
   * Returns the problem that the caller of an invocation would receive, and the error as it was
   * thrown, with its place in the code.
   *
   * <p>A caller never receives the latter, since messages of the engine can quote data. A dry run
   * shows it: its caller may see everything that the transform sees, which is the sample, masks and
   * the configuration, and the transform can print all of it. NUL and lone surrogates, which a real
   * call returns unchanged, are shown as U+FFFD.
   *
   * @param ending end of the transform; empty if its worker reported none
   */
  JsonValue error(VaultException failed, Optional<Finished> ending, Optional<TransformCode> code) {
    byte[] problem = ProblemJson.of(failed).getBytes(StandardCharsets.UTF_8);
    Map<String, JsonValue> properties =
        new LinkedHashMap<>(((JsonObject) json.read(problem)).properties());
    ending
        .flatMap(Finished::thrown)
        .ifPresent(
            thrown -> {
              properties.put("name", text(thrown.name()));
              properties.put("message", text(thrown.message()));
            });
    if (failed instanceof TransformFailedException transform && transform.line() > 0) {
      int column = ending.map(DryRunReport::column).orElse(0);
      properties.put("line", JsonValue.of(transform.line()));
      if (column > 0) {
        properties.put("column", JsonValue.of(column));
      }
      code.ifPresent(
          source ->
              properties.put(
                  "frame", JsonValue.of(frame(source.source(), transform.line(), column))));
    }
    return new JsonObject(properties);
  }

  private static int column(Finished ending) {
    if (ending.outcome() instanceof Outcome.ErrorThrown threw) {
      return threw.position().column();
    }
    return ending.outcome() instanceof Outcome.Failed failed ? failed.position().column() : 0;
  }

  /**
   * Returns the lines around a place in the code, with their numbers. A caret is below the column.
   *
   * @param line from 1
   * @param column from 1; 0 if it is not known
   */
  static String frame(String source, int line, int column) {
    String[] lines = LINE_BREAK.split(source, -1);
    int last = Math.min(lines.length, line + FRAME_LINES);
    int width = String.valueOf(last).length();
    StringJoiner frame = new StringJoiner("\n");
    for (int i = Math.max(1, line - FRAME_LINES); i <= last; i++) {
      String text = lines[i - 1];
      String shown = text.length() > FRAME_WIDTH ? text.substring(0, FRAME_WIDTH) + "..." : text;
      frame.add(
          ((i == line ? "> " : "  ") + "%" + width + "d | %s").formatted(i, shown).stripTrailing());
      if (i == line && column > 0 && column <= Math.min(text.length(), FRAME_WIDTH)) {
        String indent = text.substring(0, column - 1).replaceAll("[^\t]", " ");
        frame.add("  " + " ".repeat(width) + " | " + indent + "^");
      }
    }
    return Json.acceptable(frame.toString());
  }
}
