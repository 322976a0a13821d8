package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.MergePatch;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyUpdate;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The body that creates or replaces a proxy (interface, section 4); any component is null if it was
 * omitted.
 *
 * @param name 1 to 200 characters, not blank
 * @param destinationUrl the URL that requests are forwarded to
 * @param application the application that transforms act as, if any
 * @param configuration the names and values that transforms can read, at most 100
 * @param requireAuth whether callers need an API key; null for true
 * @param timeoutMillis how long to wait for the first byte of a response, at most 600,000 ms; null
 *     for the operator's default
 * @param clientCertificate the name of the client certificate to use, as the operator configured it
 * @param requestTransform runs on the request
 * @param responseTransform runs on the response
 * @param unchanged the read-only fields that were sent; they must have their stored values
 */
public record ProxyRequest(
    @NotBlank(message = RequestValidator.NAME) String name,
    @NotNull(message = RequestValidator.REQUIRED) String destinationUrl,
    @Valid ApplicationReference application,
    Map<String, String> configuration,
    Boolean requireAuth,
    Long timeoutMillis,
    String clientCertificate,
    @Valid Transform requestTransform,
    @Valid Transform responseTransform,
    UnchangedFields unchanged) {

  private static final String APPLICATION = "application";
  private static final String APPLICATION_ID = "application_id";

  private static final SizeLimit CONFIGURATION = SizeLimit.entries(ProxyDraft.MAX_CONFIGURATION);

  /** Reads the body that creates a proxy; read-only fields become violations like unknown ones. */
  public static ProxyRequest read(JsonFields fields) {
    return read(fields, UnchangedFields.NONE);
  }

  /**
   * Reads the body that replaces a proxy. A client may send back the response of a read with
   * changes, read-only fields included.
   */
  public static ProxyRequest readUpdate(JsonFields fields) {
    return read(fields, ReadOnlyFields.ofProxy(fields));
  }

  /**
   * Applies a merge patch (RFC 7386) to a proxy as responses have it. A patch may name the
   * application by {@code application_id}, or by {@code application} as a request does.
   */
  public static JsonValue patched(JsonValue proxy, JsonValue patch) {
    return MergePatch.apply(has(patch, APPLICATION) ? withReference(proxy) : proxy, patch);
  }

  private static boolean has(JsonValue value, String name) {
    return value instanceof JsonObject object && object.members().containsKey(name);
  }

  /** Replaces the property {@code application_id}, if there is one, by {@code application}. */
  private static JsonValue withReference(JsonValue proxy) {
    if (!has(proxy, APPLICATION_ID)) {
      return proxy;
    }
    Map<String, JsonValue> members = new LinkedHashMap<>(((JsonObject) proxy).members());
    JsonValue id = members.remove(APPLICATION_ID);
    members.put(APPLICATION, new JsonObject(Map.of("id", id)));
    return new JsonObject(members);
  }

  private static ProxyRequest read(JsonFields fields, UnchangedFields unchanged) {
    ProxyRequest request =
        new ProxyRequest(
            fields.text("name"),
            fields.text("destination_url"),
            ApplicationReference.of(fields),
            fields.textMap("configuration", CONFIGURATION),
            fields.flag("require_auth"),
            fields.longInteger("timeout_ms"),
            fields.text("client_certificate"),
            fields.object(TransformKind.REQUEST.property(), Transform::read),
            fields.object(TransformKind.RESPONSE.property(), Transform::read),
            unchanged);
    fields.refuseOthers();
    return request;
  }

  /** Returns the update, which the use case compares with the stored proxy. */
  public ProxyUpdate toUpdate() {
    return new ProxyUpdate(toDraft(), unchanged);
  }

  /** Returns the proxy as a draft, which the use case validates further. */
  public ProxyDraft toDraft() {
    return new ProxyDraft(
        name,
        destinationUrl,
        applicationId(),
        configuration,
        requireAuth,
        timeoutMillis,
        clientCertificate,
        transforms());
  }

  /**
   * Returns the transforms that have code. Others have been reported as violations or were left
   * out.
   */
  private Map<TransformKind, String> transforms() {
    Map<TransformKind, String> transforms = new EnumMap<>(TransformKind.class);
    put(TransformKind.REQUEST, requestTransform, transforms);
    put(TransformKind.RESPONSE, responseTransform, transforms);
    return transforms;
  }

  private static void put(
      TransformKind kind, Transform transform, Map<TransformKind, String> transforms) {
    if (transform != null && transform.code() != null) {
      transforms.put(kind, transform.code());
    }
  }

  private ApplicationId applicationId() {
    return application == null || application.id() == null
        ? null
        : new ApplicationId(application.id());
  }

  /**
   * The reference to an application. Clients may send the whole application; only its id is read.
   */
  record ApplicationReference(@NotNull(message = RequestValidator.REQUIRED) UUID id) {

    /**
     * Reads the reference from {@code application}, or from {@code application_id} as responses
     * have it. If both are present they must agree.
     *
     * @return null if neither is present
     */
    static ApplicationReference of(JsonFields fields) {
      ApplicationReference whole = fields.object(APPLICATION, ApplicationReference::read);
      UUID id = fields.uuid(APPLICATION_ID);
      if (whole == null) {
        return id == null ? null : new ApplicationReference(id);
      }
      if (id != null && whole.id() != null && !id.equals(whole.id())) {
        fields.refuse(APPLICATION_ID, "must equal application.id or be omitted");
      }
      return whole;
    }

    private static ApplicationReference read(JsonFields fields) {
      return new ApplicationReference(fields.uuid("id"));
    }
  }

  /** A transform in the body of a request. Its code can contain secrets. */
  record Transform(@NotNull(message = RequestValidator.REQUIRED) String code) {
    static Transform read(JsonFields fields) {
      Transform transform = new Transform(fields.text("code"));
      fields.refuseOthers();
      return transform;
    }

    /** Returns no values, since the code can contain secrets. */
    @Override
    public String toString() {
      return "Transform[redacted]";
    }
  }
}
