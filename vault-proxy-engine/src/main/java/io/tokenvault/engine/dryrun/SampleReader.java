package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.engine.dryrun.Sample.Request;
import io.tokenvault.engine.dryrun.Sample.Response;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Reads samples and reports all violations of one together.
 *
 * <pre>{@code
 * {
 *   "request": {"method": "POST", "path": "/charges", "body": {"amount": 5}},
 *   "response": {"status": 201, "body": {"id": "c1"}},
 *   "mocks": {"fetch": [{"url": "https://a.example/", "status": 204}], "bt": {"tokenize": {}}}
 * }
 * }</pre>
 */
public final class SampleReader {

  private static final JsonObject NOTHING = new JsonObject(Map.of());
  private static final Set<String> REFUSED_METHODS = Set.of("CONNECT", "TRACE");
  private static final Pattern METHOD = Pattern.compile("[A-Za-z][A-Za-z-]{0,31}");

  /** A path that is empty or starts with a slash, and has neither query nor fragment. */
  private static final Pattern PATH = Pattern.compile("(?:/[^?#]*)?");

  private static final SizeLimit ANY_NUMBER = SizeLimit.items(Integer.MAX_VALUE);
  private static final int LEAST_STATUS = 200;
  private static final int GREATEST_STATUS = 599;
  private static final String HEADERS = "headers";
  private static final String BODY = "body";
  private static final String BASE64 = "base64";
  private static final String CONTENT_TYPE = "Content-Type";

  private final JsonCodec json;
  private final int maxBody;

  /**
   * Creates a reader.
   *
   * @param maxBody limit of each body, in bytes
   */
  public SampleReader(JsonCodec json, int maxBody) {
    this.json = json;
    this.maxBody = maxBody;
  }

  /**
   * Reads a sample for a proxy, which may name the application that invokes it.
   *
   * @throws ValidationException listing every violation
   */
  public Sample ofProxy(JsonValue sample) {
    return read(sample, true);
  }

  /**
   * Reads a sample for a file, which may have the configuration that a proxy would have.
   *
   * @throws ValidationException listing every violation
   */
  public Sample ofFile(JsonValue sample) {
    return read(sample, false);
  }

  private Sample read(JsonValue sample, boolean ofProxy) {
    Violations violations = new Violations();
    JsonFields fields = JsonFields.of(sample, violations);
    fields.require("request");
    Request request = fields.object("request", this::request);
    Response response = fields.object("response", this::response);
    ApplicationId application =
        ofProxy ? fields.object("application", SampleReader::application) : null;
    JsonObject configuration =
        ofProxy ? null : fields.object("configuration", SampleReader::configuration);
    MockResponses mocks = fields.object("mocks", this::mocks);
    fields.refuseOthers();
    violations.throwIfAny();
    return new Sample(
        request,
        Optional.ofNullable(response),
        Optional.ofNullable(application),
        Optional.ofNullable(configuration).orElse(NOTHING),
        Optional.ofNullable(mocks).orElseGet(() -> MockResponses.none(json)));
  }

  /**
   * Reads the request. Its method defaults to {@code POST} with a body and to {@code GET} without
   * one.
   */
  private Request request(JsonFields fields) {
    HttpMessage message = message(fields);
    String method = method(fields).orElseGet(() -> message.body().isPresent() ? "POST" : "GET");
    String path = text(fields, "path").orElse("");
    Optional<String> query =
        text(fields, "query").map(given -> given.startsWith("?") ? given.substring(1) : given);
    fields.refuseOthers();
    if (BodyRules.isBodyless(method) && message.body().isPresent()) {
      fields.refuse("body", "must be omitted: GET and HEAD are forwarded only without a body");
    }
    if (!PATH.matcher(path).matches()) {
      fields.refuse("path", "must start with a slash and have no query");
    }
    return new Request(method, path, query, message);
  }

  /** Reads a method, in upper case; notes a violation if it is not one that is forwarded. */
  private static Optional<String> method(JsonFields fields) {
    Optional<String> given = text(fields, "method");
    Optional<String> method =
        given
            .filter(text -> METHOD.matcher(text).matches())
            .map(text -> text.toUpperCase(Locale.ROOT))
            .filter(text -> !REFUSED_METHODS.contains(text));
    if (given.isPresent() && method.isEmpty()) {
      fields.refuse("method", "must be a method that the proxy forwards");
    }
    return method;
  }

  private static Optional<String> text(JsonFields fields, String name) {
    return Optional.ofNullable(fields.text(name));
  }

  private Response response(JsonFields fields) {
    HttpMessage message = message(fields);
    int status = status(fields);
    fields.refuseOthers();
    return new Response(status, message);
  }

  /** Reads a status from 200 to 599. */
  private static int status(JsonFields fields) {
    fields.require("status");
    Integer status = fields.integer("status", LEAST_STATUS, GREATEST_STATUS);
    return status == null ? LEAST_STATUS : status;
  }

  private static ApplicationId application(JsonFields fields) {
    fields.require("id");
    UUID id = fields.uuid("id");
    fields.refuseOthers();
    return id == null ? null : new ApplicationId(id);
  }

  /** Reads an object of strings. */
  private static JsonObject configuration(JsonFields fields) {
    Map<String, JsonValue> texts = new LinkedHashMap<>();
    for (String name : fields.names()) {
      if (fields.isFull()) {
        break;
      }
      text(fields, name).ifPresent(text -> texts.put(name, JsonValue.of(text)));
    }
    return new JsonObject(texts);
  }

  /** Reads {@code fetch}, an array of responses, and {@code bt}, results by operation. */
  private MockResponses mocks(JsonFields fields) {
    List<MockResponses.Fetched> fetched = fields.objects("fetch", ANY_NUMBER, this::fetched);
    Map<String, JsonValue> results = fields.object("bt", SampleReader::results);
    fields.refuseOthers();
    return new MockResponses(
        json, fetched == null ? List.of() : fetched, results == null ? Map.of() : results);
  }

  private MockResponses.Fetched fetched(JsonFields fields) {
    fields.require("url");
    Optional<String> method = method(fields);
    MockResponses.Fetched fetched =
        new MockResponses.Fetched(
            text(fields, "url").orElse(""), method, status(fields), message(fields));
    fields.refuseOthers();
    return fetched;
  }

  /** Reads the results of known operations; refuses others. */
  private static Map<String, JsonValue> results(JsonFields fields) {
    Map<String, JsonValue> results = new LinkedHashMap<>();
    for (String operation : MockResponses.OPERATIONS) {
      fields.property(operation).ifPresent(result -> results.put(operation, result));
    }
    fields.refuseOthers();
    return results;
  }

  /**
   * Reads {@code headers} and {@code body}: a string (text), an object whose only field is {@code
   * base64} (bytes), or any other JSON value. A JSON body has the content type {@code
   * application/json} unless the headers name another.
   */
  private HttpMessage message(JsonFields fields) {
    List<HeaderField> headers = new ArrayList<>();
    fields.object(HEADERS, each -> readHeaders(each, headers));
    Optional<JsonValue> body = Optional.ofNullable(fields.any(BODY));
    if (body.filter(value -> !(value instanceof JsonString) && !isBinary(value)).isPresent()
        && Headers.value(headers, CONTENT_TYPE).isEmpty()) {
      headers.add(new HeaderField(CONTENT_TYPE, "application/json"));
    }
    Optional<byte[]> bytes = body.flatMap(value -> bytes(fields, value, headers));
    if (bytes.isPresent() && bytes.get().length > maxBody) {
      fields.refuse(BODY, "must be at most " + maxBody + " bytes long");
    }
    return new HttpMessage(headers, bytes);
  }

  /** Reads an object whose values are strings or arrays of strings. */
  private static List<HeaderField> readHeaders(JsonFields fields, List<HeaderField> headers) {
    for (String name : fields.names()) {
      if (fields.isFull()) {
        break;
      }
      JsonValue value = Optional.ofNullable(fields.any(name)).orElse(new JsonArray(List.of()));
      List<JsonValue> values = value instanceof JsonArray list ? list.items() : List.of(value);
      if (!new HeaderField(name, "").isNamedByToken()) {
        fields.refuse(name, "is not a valid header name");
      } else if (values.stream().allMatch(SampleReader::isHeaderValue)) {
        values.forEach(each -> headers.add(new HeaderField(name, ((JsonString) each).value())));
      } else {
        fields.refuse(name, "must be a string or an array of strings, without line breaks or NUL");
      }
    }
    return headers;
  }

  /** Returns whether a value is a string without line breaks or NUL. */
  private static boolean isHeaderValue(JsonValue value) {
    return value instanceof JsonString text && !new HeaderField("", text.value()).splitsLines();
  }

  /** Returns whether a body is an object whose only field is {@code base64}. */
  private static boolean isBinary(JsonValue body) {
    return body instanceof JsonObject object && object.properties().keySet().equals(Set.of(BASE64));
  }

  /** Returns the body in the charset that its content type names. */
  private Optional<byte[]> bytes(JsonFields fields, JsonValue body, List<HeaderField> headers) {
    if (isBinary(body)) {
      return Optional.ofNullable(fields.object(BODY, SampleReader::binary));
    }
    Content content =
        body instanceof JsonString text
            ? new Content(BodyKind.TEXT, text.value().getBytes(StandardCharsets.UTF_8))
            : new Content(BodyKind.JSON, json.write(body));
    try {
      return content.written(Headers.value(headers, CONTENT_TYPE));
    } catch (UnusableContentException unusable) {
      fields.refuse(BODY, unusable.getMessage());
      return Optional.empty();
    }
  }

  /** Decodes Base64; returns null after noting a violation. */
  private static byte[] binary(JsonFields fields) {
    String text = fields.text(BASE64);
    try {
      return text == null ? null : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException malformed) {
      fields.refuse(BASE64, "must be Base64");
      return null;
    }
  }
}
