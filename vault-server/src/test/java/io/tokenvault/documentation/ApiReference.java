package io.tokenvault.documentation;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.http.response.RejectedRequestException;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.server.e2e.fixture.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders operations and schemas of the OpenAPI document as Markdown.
 *
 * @param document the OpenAPI document
 * @param places where the pages describe operations and schemas, by operation id or schema name
 */
record ApiReference(JsonNode document, Map<String, Place> places) {

  private static final String SCHEMAS = "#/components/schemas/";
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "options", "head", "patch");
  private static final Map<String, String> STRINGS = Map.of("uuid", "UUID", "date-time", "time");
  private static final Pattern PERMISSION = Pattern.compile("`[a-z]+:[a-z]+`");

  /** The header of every endpoint, which the index page describes once. */
  private static final String TRACE_ID = "SVC-TRACE-ID";

  /** Headers that the index page explains. */
  private static final Map<String, Place> HEADINGS =
      Map.of(
          "SVC-IDEMPOTENCY-KEY", new Place("README.md", "Idempotent requests"),
          "If-Match", new Place("README.md", "Conditional updates"));

  /** A section of a page. */
  record Place(String page, String heading) {

    String link(String from) {
      return (page.equals(from) ? "" : page) + "#" + MarkdownPage.anchor(heading);
    }
  }

  /** An operation of the document. */
  record Operation(String method, String path, JsonNode pathItem, JsonNode node) {

    String id() {
      return node.get("operationId").asText();
    }

    boolean isProxy() {
      return path.equals("/proxy");
    }

    /** Returns the name and the description, which all methods of the proxy share. */
    JsonNode documented() {
      return isProxy() ? pathItem : node;
    }

    String summary() {
      return documented().get("summary").asText();
    }

    String description() {
      return documented().path("description").asText();
    }

    String name() {
      return method.toUpperCase(Locale.ROOT) + " " + path;
    }

    /** Returns the alternative permissions, which the first sentence lists. */
    List<String> permissions() {
      return PERMISSION
          .matcher(description().split("\\. | on |, ", 2)[0])
          .results()
          .map(MatchResult::group)
          .toList();
    }

    List<String> problems() {
      return Json.texts(documented().path("x-problems"));
    }
  }

  List<Operation> operations() {
    return document.get("paths").properties().stream()
        .flatMap(path -> operations(path.getKey(), path.getValue()))
        .toList();
  }

  private static Stream<Operation> operations(String path, JsonNode item) {
    return Json.names(item).stream()
        .filter(METHODS::contains)
        .map(method -> new Operation(method, path, item, item.get(method)));
  }

  /** Returns the problem types that every operation can return. */
  List<String> commonProblems() {
    return Json.texts(document.get("x-problems"));
  }

  /** A problem type of the program; its URN ends in the type. */
  record Problem(int status, String type, String title) {

    private static Problem of(int status, String urn, String title) {
      return new Problem(status, urn.substring(urn.lastIndexOf(':') + 1), title);
    }
  }

  static Stream<Problem> problems() {
    return Stream.concat(
        Stream.of(FailureCause.values())
            .map(each -> Problem.of(each.code().status(), each.urn(), each.title())),
        Stream.of(RejectedRequestException.Cause.values())
            .map(each -> Problem.of(each.status(), each.urn(), each.title())));
  }

  /** Returns the status of each problem type of the program. */
  static Map<String, Integer> statuses() {
    return problems()
        .collect(Collectors.toMap(Problem::type, Problem::status, (first, later) -> later));
  }

  /**
   * Returns one generated part of a page.
   *
   * @param names {@code index}, {@code errors}, an operation id, or names of schemas
   */
  String render(String names, String page) {
    if (names.equals("index")) {
      return index(page);
    }
    if (names.equals("errors")) {
      return table(
          "| Status | `type` ends in |",
          Stream.of(byStatus(commonProblems()).split("; "))
              .map(each -> "| " + each.replaceFirst(" ", " | ") + " |"));
    }
    return operations().stream()
        .filter(each -> each.id().equals(names))
        .findFirst()
        .map(each -> operation(each, page))
        .orElseGet(() -> schemas(List.of(names.split(" ")), page));
  }

  private String index(String page) {
    return table(
        "| Method and path | Permission | |",
        operations().stream()
            .filter(each -> !each.isProxy() || each.method().equals("post"))
            .map(
                each ->
                    cells(
                        each.isProxy() ? "any method `/proxy/**`" : "`" + each.name() + "`",
                        permission(each),
                        "[%s](%s)".formatted(each.summary(), places.get(each.id()).link(page)))));
  }

  private static String permission(Operation operation) {
    return operation.permissions().isEmpty()
        ? operation.description().startsWith("Any") ? "any valid key" : "none"
        : String.join(" or ", operation.permissions());
  }

  private String operation(Operation operation, String page) {
    List<String> parts = new ArrayList<>();
    parts.add("`" + (operation.isProxy() ? "ANY /proxy/**" : operation.name()) + "`");
    parts.add(operation.description());
    List<Row> rows = new ArrayList<>();
    Stream.of(operation.pathItem(), operation.node())
        .flatMap(each -> Json.stream(each.path("parameters")))
        .map(this::resolved)
        .filter(each -> !each.get("name").asText().equals(TRACE_ID))
        .forEach(each -> rows.add(parameter(each, page)));
    JsonNode body = resolved(operation.node().path("requestBody"));
    List<String> contentTypes = Json.names(body.path("content"));
    if (!contentTypes.isEmpty()) {
      JsonNode schema = body.get("content").get(contentTypes.get(0)).get("schema");
      List<Row> properties = properties("", schema, "body", page);
      rows.addAll(properties.isEmpty() ? List.of(wholeBody(body, schema, page)) : properties);
    }
    if (contentTypes.size() > 1 && !contentTypes.contains("*/*")) {
      parts.add("Content type: `" + String.join("` or `", contentTypes) + "`.");
    }
    if (!rows.isEmpty()) {
      parts.add(
          table(
              "| Name | In | Type | Default | Limits | Description |",
              joined(rows).map(Row::parameterCells)));
    }
    parts.add(
        successfulResponses(operation, page)
            + "Errors: [common](%s)".formatted(places.get("errors").link(page))
            + (operation.problems().isEmpty() ? "" : "; " + byStatus(operation.problems()))
            + ".");
    return String.join("\n\n", parts);
  }

  /** Describes the successful responses. */
  private String successfulResponses(Operation operation, String page) {
    List<String> contents = new ArrayList<>();
    JsonNode responses = operation.node().get("responses");
    for (String status : Json.names(responses)) {
      if (status.matches("2\\d\\d")) {
        JsonNode content = resolved(responses.get(status)).path("content");
        contents.add((status + " " + content(content, page)).strip());
      }
    }
    return contents.isEmpty() ? "" : "Response: " + String.join("; ", contents) + ". ";
  }

  private String content(JsonNode content, String page) {
    JsonNode schema = content.path("application/json").path("schema");
    JsonNode properties = resolved(schema).path("properties");
    if (properties.has("pagination")) {
      return "page of " + type(properties.get("data").get("items"), page, "s");
    }
    return place(schema.path("items").has("$ref") ? schema.get("items") : schema).isEmpty()
        ? ""
        : type(schema, page);
  }

  private Row parameter(JsonNode parameter, String page) {
    JsonNode schema = parameter.get("schema");
    String name = parameter.get("name").asText();
    String shown = "`" + (name.equals("metadata") ? "metadata.KEY" : name) + "`";
    return row(
        HEADINGS.containsKey(name)
            ? "[%s](%s)".formatted(shown, HEADINGS.get(name).link(page))
            : shown,
        parameter.get("in").asText(),
        schema,
        parameter.path("required").asBoolean(),
        parameter.path("description").asText(),
        page);
  }

  private Row wholeBody(JsonNode body, JsonNode schema, String page) {
    boolean required = body.path("required").asBoolean();
    String type = required ? type(schema, page) : "any content";
    return new Row("the body", "body", type, required, "", "", "");
  }

  private String schemas(List<String> names, String page) {
    JsonNode first = document.at(SCHEMAS.substring(1) + names.get(0));
    if (first.isMissingNode()) {
      throw new IllegalArgumentException("no operation or schema " + names);
    }
    if (first.has("enum")) {
      return "`" + String.join("`, `", Json.texts(first.get("enum"))) + "`";
    }
    Map<String, Row> rows = new LinkedHashMap<>();
    for (String name : names) {
      for (Row row : properties("", document.at(SCHEMAS.substring(1) + name), "", page)) {
        rows.putIfAbsent(row.name, name.equals(names.get(0)) ? row : row.optional());
      }
    }
    String description = first.path("description").asText();
    if (rows.isEmpty()) {
      return "A %s, %s. %s".formatted(type(first, page), limits(first), description);
    }
    Stream<Row> joined = joined(List.copyOf(rows.values()));
    String table =
        isRequest(names.get(0))
            ? table(
                "| Property | Type | Default | Limits | Description |",
                joined.map(Row::requestCells))
            : table("| Property | Type | Present | Description |", joined.map(Row::responseCells));
    return description.isEmpty() ? table : description + "\n\n" + table;
  }

  /** Returns whether a request contains the schema. */
  private boolean isRequest(String schema) {
    List<JsonNode> next = new ArrayList<>();
    operations().forEach(each -> next.add(each.node().path("requestBody")));
    Set<String> seen = new HashSet<>();
    while (!next.isEmpty()) {
      for (String reference : next.remove(0).findValuesAsText("$ref")) {
        if (seen.add(reference)) {
          next.add(document.at(reference.substring(1)));
        }
      }
    }
    return seen.contains(SCHEMAS + schema);
  }

  /** A property or parameter. */
  private record Row(
      String name,
      String in,
      String type,
      boolean required,
      String defaultValue,
      String limits,
      String description) {

    String parameterCells() {
      return cells(name, in, type, requiredOrDefault(), limits, description);
    }

    String requestCells() {
      return cells(name, type, requiredOrDefault(), limits, description);
    }

    String responseCells() {
      return cells(name, type, required ? "always" : "", valuesAndDescription());
    }

    Row optional() {
      return new Row(name, in, type, false, defaultValue, limits, description);
    }

    private String requiredOrDefault() {
      return required ? "required" : defaultValue;
    }

    private String valuesAndDescription() {
      return limits.startsWith("`") ? (limits + ". " + description).strip() : description;
    }

    /** Returns this row, without its type and limits if it can be joined. */
    Row shortened() {
      return isJoinable() ? new Row(name, in, "", false, "", "", description) : this;
    }

    /** Returns whether the row is a read-only property of an update. */
    boolean isJoinable() {
      return description.equals("Absent or unchanged.") || description.equals("Ignored.");
    }
  }

  /** Joins consecutive read-only properties with identical descriptions. */
  private static Stream<Row> joined(List<Row> rows) {
    List<Row> joined = new ArrayList<>();
    for (Row row : rows) {
      Row last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && row.isJoinable() && last.description.equals(row.description)) {
        String names = last.name + ", " + row.name;
        joined.set(joined.size() - 1, new Row(names, row.in, "", false, "", "", row.description));
      } else {
        joined.add(row.shortened());
      }
    }
    return joined.stream();
  }

  private List<Row> properties(String prefix, JsonNode schema, String in, String page) {
    JsonNode whole = resolved(schema);
    List<Row> rows = new ArrayList<>();
    whole.path("allOf").forEach(each -> rows.addAll(properties(prefix, each, in, page)));
    List<String> required = Json.texts(whole.path("required"));
    for (Map.Entry<String, JsonNode> property : whole.path("properties").properties()) {
      JsonNode value = property.getValue();
      String name = prefix + property.getKey();
      boolean isRequired = required.contains(property.getKey());
      String general = resolved(value).path("description").asText();
      String description = value.path("description").asText(general);
      rows.add(row("`" + name + "`", in, value, isRequired, description, page));
      if (place(value).isEmpty()) {
        rows.addAll(properties(name + ".", value, in, page));
        JsonNode items = resolved(value).path("items");
        if (place(items).isEmpty()) {
          rows.addAll(properties(name + "[].", items, in, page));
        }
      }
    }
    return rows;
  }

  private Row row(
      String name, String in, JsonNode schema, boolean required, String description, String page) {
    JsonNode whole = resolved(schema);
    return new Row(
        name,
        in,
        type(schema, page),
        required,
        whole.has("default") ? "`" + whole.get("default").asText() + "`" : "",
        place(schema).isPresent() ? "" : limits(whole),
        description.replace("|", "\\|"));
  }

  private String type(JsonNode schema, String page) {
    return type(schema, page, "");
  }

  /** Returns the type, with a link to its description; {@code s} makes a plural. */
  private String type(JsonNode schema, String page, String s) {
    Optional<Place> place = place(schema);
    if (place.isPresent()) {
      String heading = place.get().heading();
      String name = heading.substring(0, 1).toLowerCase(Locale.ROOT) + heading.substring(1) + s;
      return "[%s](%s)".formatted(name.replaceAll("ys$", "ies"), place.get().link(page));
    }
    JsonNode whole = resolved(schema);
    if (whole.has("oneOf") && !whole.has("type")) {
      return Json.stream(whole.get("oneOf"))
          .map(each -> type(each, page, s))
          .collect(Collectors.joining(" or "));
    }
    if (whole.has("allOf") && !whole.has("type")) {
      return type(whole.get("allOf").get(0), page, s);
    }
    JsonNode type = whole.path("type");
    String name = type.isArray() ? type.get(0).asText() : type.asText("any JSON");
    return switch (name) {
          case "array" -> "array" + s + " of " + type(whole.get("items"), page, "s");
          case "object" ->
              whole.path("additionalProperties").isObject()
                  ? "map of " + type(whole.get("additionalProperties"), page, "s")
                  : name + s;
          case "string" -> STRINGS.getOrDefault(whole.path("format").asText(), name) + s;
          case "any JSON" -> name;
          default -> name + s;
        }
        + (type.isArray() && s.isEmpty() ? " or null" : "");
  }

  private Optional<Place> place(JsonNode schema) {
    String reference = schema.path("$ref").asText();
    return reference.startsWith(SCHEMAS)
        ? Optional.ofNullable(places.get(reference.substring(SCHEMAS.length())))
        : Optional.empty();
  }

  private String limits(JsonNode schema) {
    List<String> limits = new ArrayList<>();
    if (schema.has("enum")) {
      limits.add("`" + String.join("`, `", Json.texts(schema.get("enum"))) + "`");
    }
    range(schema, "minimum", "maximum", "", limits);
    range(schema, "minLength", "maxLength", " characters", limits);
    range(schema, "minItems", "maxItems", " items", limits);
    range(schema, "minProperties", "maxProperties", " entries", limits);
    addLimits("keys", schema.path("propertyNames"), limits);
    addLimits("values", schema.path("additionalProperties"), limits);
    if (place(schema.path("items")).isEmpty()) {
      JsonNode items = resolved(schema.path("items"));
      addLimits(items.has("enum") ? "" : "each", items, limits);
    }
    return String.join("; ", limits);
  }

  private void addLimits(String subject, JsonNode part, List<String> limits) {
    String partLimits = part.isObject() ? limits(part) : "";
    if (!partLimits.isEmpty()) {
      limits.add((subject + " " + partLimits).strip());
    }
  }

  private static void range(
      JsonNode schema, String least, String most, String unit, List<String> limits) {
    if (schema.has(most)) {
      limits.add(
          (schema.has(least) ? number(schema.get(least)) + " to " : "at most ")
              + number(schema.get(most))
              + unit);
    } else if (schema.has(least)) {
      limits.add(number(schema.get(least)) + unit + " or more");
    }
  }

  private static String number(JsonNode number) {
    return String.format(Locale.ROOT, number.asLong() < 10_000 ? "%d" : "%,d", number.asLong());
  }

  private static String byStatus(List<String> problems) {
    Map<String, Integer> statuses = statuses();
    return problems.stream()
        .collect(
            Collectors.groupingBy(
                statuses::get,
                TreeMap::new,
                Collectors.mapping(each -> "`" + each + "`", Collectors.joining(", "))))
        .entrySet()
        .stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining("; "));
  }

  private JsonNode resolved(JsonNode node) {
    return Json.resolved(document, node);
  }

  private static String table(String head, Stream<String> rows) {
    String columns = head.replaceAll("[^|]+", "---");
    return Stream.concat(Stream.of(head, columns), rows.map(row -> row.replaceAll(" {2,}", " ")))
        .collect(Collectors.joining("\n"));
  }

  private static String cells(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
