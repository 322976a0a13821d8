package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.security.GeneralSecurityException;

/** An in-memory key management service that a test can make unreachable. */
final class FakeKms {

  private boolean disconnected;

  void disconnect() {
    disconnected = true;
  }

  Aead newKey() {
    try {
      return new RemoteKey(
          KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, AeadConfig2026.get())
              .getPrimitive(AeadConfig2026.get(), Aead.class));
    } catch (GeneralSecurityException unsupported) {
      throw new IllegalStateException(unsupported);
    }
  }

  private final class RemoteKey implements Aead {

    private final Aead key;

    private RemoteKey(Aead key) {
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

    private void connect() throws GeneralSecurityException {
      if (disconnected) {
        throw new GeneralSecurityException("no route to the service, credentials marker");
      }
    }
  }
}
