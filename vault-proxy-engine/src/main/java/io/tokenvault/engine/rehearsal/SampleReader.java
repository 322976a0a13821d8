package io.tokenvault.engine.rehearsal;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.ports.spi.JsonCodec;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads samples, and says at once all that is wrong with one. */
public final class SampleReader {

  private static final JsonObject NOTHING = new JsonObject(Map.of());
  private static final Set<String> REFUSED_METHODS = Set.of("CONNECT", "TRACE");
  private static final Pattern METHOD = Pattern.compile("[A-Za-z][A-Za-z-]{0,31}");
  private static final Pattern PATH = Pattern.compile("(?:/[^?#]*)?");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final int LEAST_STATUS = 200;
  private static final int GREATEST_STATUS = 599;

  private final JsonCodec json;
  private final MessageReader messages;

  /**
   * @param maxBody of the bodies, in bytes
   */
  public SampleReader(JsonCodec json, int maxBody) {
    this.json = json;
    this.messages = new MessageReader(json, maxBody);
  }

  /**
   * A sample for a proxy, which may name who invokes it.
   *
   * @throws ValidationException naming all that is wrong
   */
  public Sample ofProxy(JsonValue sample) {
    return read(sample, true);
  }

  /**
   * A sample for a file, which may have the configuration that a proxy would have.
   *
   * @throws ValidationException naming all that is wrong
   */
  public Sample ofFile(JsonValue sample) {
    return read(sample, false);
  }

  private Sample read(JsonValue sample, boolean ofProxy) {
    Violations violations = new Violations();
    Fields fields = Fields.of(sample, violations);
    fields.require("request");
    Optional<SampleRequest> request = fields.object("request", this::request);
    Optional<SampleResponse> response = fields.object("response", this::response);
    Optional<ApplicationId> application =
        ofProxy
            ? fields.object("application", SampleReader::application).flatMap(each -> each)
            : Optional.empty();
    JsonObject configuration =
        ofProxy
            ? NOTHING
            : fields.object("configuration", SampleReader::configuration).orElse(NOTHING);
    Mocks mocks = fields.object("mocks", this::mocks).orElseGet(() -> Mocks.none(json));
    fields.refuseOthers();
    violations.throwIfAny();
    return new Sample(request.orElseThrow(), response, application, configuration, mocks);
  }

  private SampleRequest request(Fields fields) {
    SampleMessage message = messages.read(fields);
    String method = method(fields).orElseGet(() -> message.body().isPresent() ? "POST" : "GET");
    String path = fields.text("path").orElse("");
    Optional<String> query = fields.text("query").map(SampleReader::withoutMark);
    fields.refuseOthers();
    if (BodyRules.isBodyless(method) && message.body().isPresent()) {
      fields.wrong("body", "must be left out: GET and HEAD are forwarded without a body only");
    }
    if (!PATH.matcher(path).matches()) {
      fields.wrong("path", "must start with a slash, and have no query");
    }
    return new SampleRequest(method, path, query, message);
  }

  /** In upper case; what is no method is noted before anything else is done with it. */
  private static Optional<String> method(Fields fields) {
    return fields
        .text("method")
        .filter(text -> METHOD.matcher(text).matches())
        .map(text -> text.toUpperCase(Locale.ROOT))
        .filter(text -> !REFUSED_METHODS.contains(text))
        .or(() -> fields.text("method").flatMap(wrong -> notForwarded(fields)));
  }

  private static Optional<String> notForwarded(Fields fields) {
    return fields.wrong("method", "must be a method that is forwarded");
  }

  private static String withoutMark(String query) {
    return query.startsWith("?") ? query.substring(1) : query;
  }

  private SampleResponse response(Fields fields) {
    SampleMessage message = messages.read(fields);
    int status = status(fields);
    fields.refuseOthers();
    return new SampleResponse(status, message);
  }

  private static int status(Fields fields) {
    fields.require("status");
    return fields.number("status", LEAST_STATUS, GREATEST_STATUS).orElse(LEAST_STATUS);
  }

  private static Optional<ApplicationId> application(Fields fields) {
    fields.require("id");
    Optional<String> id = fields.text("id");
    fields.refuseOthers();
    return id.filter(text -> UUID_TEXT.matcher(text).matches())
        .map(text -> new ApplicationId(UUID.fromString(text)))
        .or(() -> id.flatMap(text -> fields.wrong("id", "must be a UUID")));
  }

  private static JsonObject configuration(Fields fields) {
    Map<String, JsonValue> texts = new LinkedHashMap<>();
    for (String name : fields.names()) {
      if (fields.isFull()) {
        break;
      }
      fields.text(name).ifPresent(text -> texts.put(name, JsonValue.of(text)));
    }
    return new JsonObject(texts);
  }

  private Mocks mocks(Fields fields) {
    Mocks mocks =
        new Mocks(
            json,
            fields.objects("fetch", this::fetched),
            fields.object("bt", SampleReader::results).orElse(Map.of()));
    fields.refuseOthers();
    return mocks;
  }

  private Mocks.Fetched fetched(Fields fields) {
    fields.require("url");
    Optional<String> method = method(fields);
    Mocks.Fetched fetched =
        new Mocks.Fetched(
            fields.text("url").orElse(""), method, status(fields), messages.read(fields));
    fields.refuseOthers();
    return fetched;
  }

  private static Map<String, JsonValue> results(Fields fields) {
    Map<String, JsonValue> results = new LinkedHashMap<>();
    for (String operation : Mocks.OPERATIONS) {
      fields.member(operation).ifPresent(result -> results.put(operation, result));
    }
    fields.refuseOthers();
    return results;
  }
}
