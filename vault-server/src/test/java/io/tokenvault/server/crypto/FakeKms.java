package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.KmsClient;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;

/** A key management service in memory: one key for each URI; it can be away. */
final class FakeKms implements KmsClient {

  static final String SCHEME = "fake-kms://";

  private final Map<String, Aead> keys = new HashMap<>();
  private boolean away;

  void goAway() {
    away = true;
  }

  @Override
  public boolean doesSupport(String uri) {
    return uri.startsWith(SCHEME);
  }

  @Override
  public KmsClient withCredentials(String path) {
    return this;
  }

  @Override
  public KmsClient withDefaultCredentials() {
    return this;
  }

  @Override
  public Aead getAead(String uri) throws GeneralSecurityException {
    Aead key = keys.get(uri);
    if (key == null) {
      key =
          KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AeadConfig2026.get())
              .getPrimitive(AeadConfig2026.get(), Aead.class);
      keys.put(uri, key);
    }
    return new Remote(key);
  }

  /** Fails as clients do: not with what the interface declares. */
  private final class Remote implements Aead {

    private final Aead key;

    private Remote(Aead key) {
      this.key = key;
    }

    @Override
    public byte[] encrypt(byte[] plaintext, byte[] associatedData) throws GeneralSecurityException {
      connect();
      return key.encrypt(plaintext, associatedData);
    }

    @Override
    public byte[] decrypt(byte[] ciphertext, byte[] associatedData)
        throws GeneralSecurityException {
      connect();
      return key.decrypt(ciphertext, associatedData);
    }

    private void connect() {
      if (away) {
        throw new IllegalStateException("no route to the service, credentials marker");
      }
    }
  }
}
