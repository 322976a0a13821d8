package io.tokenvault.adapters.http;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.ProxyDraft;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.UUID;

/** The body that creates or replaces a proxy (interface, section 4). */
record ProxyRequest(
    @NotBlank(message = Required.NAME) String name,
    @NotNull(message = Required.MESSAGE) String destinationUrl,
    @Valid ApplicationReference application,
    Map<String, String> configuration,
    Boolean requireAuth,
    Long timeoutMillis,
    String clientCertificate) {

  private static final String NO_TRANSFORMS = "transforms are not supported yet";

  static ProxyRequest read(JsonFields fields) {
    ProxyRequest request =
        new ProxyRequest(
            fields.text("name"),
            fields.text("destination_url"),
            fields.object("application", ApplicationReference::read),
            fields.textMap("configuration"),
            fields.flag("require_auth"),
            fields.longInteger("timeout_ms"),
            fields.text("client_certificate"));
    fields.refuse("request_transform", NO_TRANSFORMS);
    fields.refuse("response_transform", NO_TRANSFORMS);
    fields.refuseOthers();
    return request;
  }

  ProxyDraft toDraft() {
    return new ProxyDraft(
        name,
        destinationUrl,
        applicationId(),
        configuration,
        requireAuth,
        timeoutMillis,
        clientCertificate);
  }

  private ApplicationId applicationId() {
    return application == null || application.id() == null
        ? null
        : new ApplicationId(application.id());
  }

  /** Of an application that a client sends whole, the id; the rest is not looked at. */
  record ApplicationReference(@NotNull(message = Required.MESSAGE) UUID id) {
    static ApplicationReference read(JsonFields fields) {
      return new ApplicationReference(fields.uuid("id"));
    }
  }
}
