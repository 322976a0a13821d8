package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.application.ApplicationId;
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
import java.util.Map;
import java.util.UUID;

/** The body that creates or replaces a proxy (interface, section 4). */
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

  private static final SizeLimit CONFIGURATION = SizeLimit.entries(ProxyDraft.MAX_CONFIGURATION);

  public static ProxyRequest read(JsonFields fields) {
    return read(fields, UnchangedFields.NONE);
  }

  /** Of a proxy that exists: what was read fits. */
  public static ProxyRequest readUpdate(JsonFields fields) {
    return read(fields, ReadOnlyFields.ofProxy(fields));
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

  public ProxyUpdate toUpdate() {
    return new ProxyUpdate(toDraft(), unchanged);
  }

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

  /** Those with code; what is wrong with the others was noted. */
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

  /** Of an application that a client sends whole, the id; the rest is not looked at. */
  record ApplicationReference(@NotNull(message = RequestValidator.REQUIRED) UUID id) {

    /** By {@code application}, or by {@code application_id} as responses have it. */
    static ApplicationReference of(JsonFields fields) {
      ApplicationReference whole = fields.object("application", ApplicationReference::read);
      UUID id = fields.uuid("application_id");
      if (whole == null) {
        return id == null ? null : new ApplicationReference(id);
      }
      if (id != null && whole.id() != null && !id.equals(whole.id())) {
        fields.refuse("application_id", "must be the same as application.id, or left out");
      }
      return whole;
    }

    private static ApplicationReference read(JsonFields fields) {
      return new ApplicationReference(fields.uuid("id"));
    }
  }

  /** Code that can hold secrets. */
  record Transform(@NotNull(message = RequestValidator.REQUIRED) String code) {
    static Transform read(JsonFields fields) {
      Transform transform = new Transform(fields.text("code"));
      fields.refuseOthers();
      return transform;
    }

    /** Nothing: the code can hold secrets. */
    @Override
    public String toString() {
      return "Transform[redacted]";
    }
  }
}
