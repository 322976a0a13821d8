package example.vault;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.WrappedKey;

/** The vault's records as JSON text, and back. They are Java records, so their parts are enough. */
final class StoredJson {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .visibility(PropertyAccessor.GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .addMixIn(TokenSelector.class, SelectorForm.class)
          .addMixIn(EncryptedValue.class, EncryptedForm.class)
          .addMixIn(WrappedKey.class, WrappedKeyForm.class)
          .addMixIn(KeyProof.class, KeyProofForm.class)
          .build();

  private StoredJson() {}

  static String write(Object document) {
    try {
      return MAPPER.writeValueAsString(document);
    } catch (JsonProcessingException failed) {
      throw new IllegalStateException("a record cannot be written");
    }
  }

  static <T> T read(String json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException failed) {
      throw new IllegalStateException("a stored record cannot be read");
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({
    @Type(value = InContainer.class, name = "container"),
    @Type(value = MeetsAll.class, name = "conditions")
  })
  private interface SelectorForm {}

  private abstract static class EncryptedForm {
    @JsonCreator
    EncryptedForm(
        @JsonProperty("keyVersion") int keyVersion,
        @JsonProperty("ciphertext") byte[] ciphertext) {}
  }

  private abstract static class WrappedKeyForm {
    @JsonCreator
    WrappedKeyForm(
        @JsonProperty("purpose") KeyPurpose purpose,
        @JsonProperty("version") int version,
        @JsonProperty("wrapped") byte[] wrapped) {}
  }

  private abstract static class KeyProofForm {
    @JsonCreator
    KeyProofForm(@JsonProperty("key") MasterKeyId key, @JsonProperty("proof") byte[] proof) {}
  }
}
