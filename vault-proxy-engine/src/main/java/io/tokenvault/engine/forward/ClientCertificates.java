package io.tokenvault.engine.forward;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PrivateKeyEntry;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * The operator's certificates, with their private keys, that destinations may request in TLS
 * handshakes. Each is identified by the alias of its keystore entry, in lower case.
 */
public final class ClientCertificates {

  private static final ClientCertificates NONE = new ClientCertificates(Map.of());

  private final Map<String, KeyManager[]> byAlias;

  private ClientCertificates(Map<String, KeyManager[]> byAlias) {
    this.byAlias = Map.copyOf(byAlias);
  }

  /** Returns an empty set of certificates. */
  public static ClientCertificates none() {
    return NONE;
  }

  /**
   * Reads certificates from a keystore; the set is empty if it has no private key.
   *
   * @param keystore a loaded keystore; entries without a private key are ignored
   * @param password of its keys
   * @throws IllegalArgumentException if the password does not match
   */
  public static ClientCertificates of(KeyStore keystore, char[] password) {
    Map<String, KeyManager[]> found = new HashMap<>();
    try {
      for (String alias : Collections.list(keystore.aliases())) {
        if (keystore.entryInstanceOf(alias, PrivateKeyEntry.class)) {
          found.put(alias.toLowerCase(Locale.ROOT), keyManagers(keystore, alias, password));
        }
      }
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "the keystore of client certificates has a key with another password");
    }
    return new ClientCertificates(found);
  }

  /** Returns key managers for one entry only, so that no other certificate can be chosen. */
  private static KeyManager[] keyManagers(KeyStore from, String alias, char[] password)
      throws GeneralSecurityException, IOException {
    KeyStore only = KeyStore.getInstance("PKCS12");
    only.load(null, null);
    only.setEntry(
        alias,
        from.getEntry(alias, new KeyStore.PasswordProtection(password)),
        new KeyStore.PasswordProtection(password));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(only, password);
    return factory.getKeyManagers();
  }

  /** Returns the names of all certificates, in lower case. */
  public Set<String> names() {
    return byAlias.keySet();
  }

  /** Returns the key managers of a certificate; empty if there is none of that name. */
  Optional<KeyManager[]> keyManagers(String name) {
    return Optional.ofNullable(byAlias.get(name));
  }

  /** Returns the names only. */
  @Override
  public String toString() {
    return "ClientCertificates" + byAlias.keySet();
  }
}
