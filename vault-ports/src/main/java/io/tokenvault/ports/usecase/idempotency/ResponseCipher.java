package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Encrypts and decrypts recorded responses. The subjects are not encrypted: they determine who may
 * receive the response.
 */
public final class ResponseCipher {

  private static final String STATUS = "status";
  private static final String HEADERS = "headers";
  private static final String BODY = "body";
  private static final String WHOLE = "whole";

  private final FieldCipher cipher;
  private final JsonCodec json;

  public ResponseCipher(FieldCipher cipher, JsonCodec json) {
    this.cipher = cipher;
    this.json = json;
  }

  EncryptedValue encrypt(TenantKeys keys, UUID requestId, RecordedResponse response) {
    SensitiveValue text = SensitiveValue.of(json.write(toJson(response)));
    return cipher.encrypt(keys, FieldBinding.response(keys.tenantId(), requestId), text);
  }

  RecordedResponse decrypt(
      TenantKeys keys,
      UUID requestId,
      EncryptedValue encryptedResponse,
      List<ResponseSubject> subjects) {
    SensitiveValue text =
        cipher.decrypt(keys, FieldBinding.response(keys.tenantId(), requestId), encryptedResponse);
    return read((JsonObject) json.read(text.open()), subjects);
  }

  private static JsonObject toJson(RecordedResponse response) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put(STATUS, JsonValue.of(response.status()));
    properties.put(
        HEADERS,
        new JsonArray(response.headers().stream().<JsonValue>map(ResponseCipher::pair).toList()));
    response
        .body()
        .map(body -> Base64.getEncoder().encodeToString(body.open()))
        .ifPresent(body -> properties.put(BODY, JsonValue.of(body)));
    properties.put(WHOLE, JsonValue.of(response.isWhole()));
    return new JsonObject(properties);
  }

  private static JsonArray pair(HeaderField field) {
    return new JsonArray(List.of(JsonValue.of(field.name()), JsonValue.of(field.value())));
  }

  private static RecordedResponse read(JsonObject stored, List<ResponseSubject> subjects) {
    Map<String, JsonValue> properties = stored.properties();
    return new RecordedResponse(
        Integer.parseInt(((JsonNumber) properties.get(STATUS)).literal()),
        ((JsonArray) properties.get(HEADERS)).items().stream().map(ResponseCipher::field).toList(),
        Optional.ofNullable(properties.get(BODY))
            .map(body -> SensitiveValue.of(Base64.getDecoder().decode(text(body)))),
        ((JsonBoolean) properties.get(WHOLE)).value(),
        false,
        subjects);
  }

  private static HeaderField field(JsonValue pair) {
    List<JsonValue> items = ((JsonArray) pair).items();
    return new HeaderField(text(items.get(0)), text(items.get(1)));
  }

  private static String text(JsonValue value) {
    return ((JsonString) value).value();
  }
}
