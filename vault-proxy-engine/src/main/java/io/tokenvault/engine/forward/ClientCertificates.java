package io.tokenvault.engine.forward;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStore.PrivateKeyEntry;
import java.security.UnrecoverableKeyException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * The operator's certificates, with their private keys, that destinations may ask for; each is
 * known by the name of its keystore entry, in lower case.
 */
public final class ClientCertificates {

  private final Map<String, KeyManager[]> byAlias;

  private ClientCertificates(Map<String, KeyManager[]> byAlias) {
    this.byAlias = Map.copyOf(byAlias);
  }

  public static ClientCertificates none() {
    return new ClientCertificates(Map.of());
  }

  /**
   * @param keystore a file in PKCS #12 or JKS; of its entries the private keys count
   * @param password of the file and of its keys
   * @throws IllegalArgumentException which says what is wrong with the file
   */
  public static ClientCertificates load(Path keystore, char[] password) {
    KeyStore opened = open(keystore.toFile(), password);
    Map<String, KeyManager[]> found = new HashMap<>();
    try {
      for (String alias : Collections.list(opened.aliases())) {
        if (opened.entryInstanceOf(alias, PrivateKeyEntry.class)) {
          found.put(alias.toLowerCase(Locale.ROOT), keyManagers(opened, alias, password));
        }
      }
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "the keystore of client certificates has a key that does not open with the file's"
              + " password");
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("the keystore of client certificates has no private key");
    }
    return new ClientCertificates(found);
  }

  private static KeyStore open(File file, char[] password) {
    if (!Files.isReadable(file.toPath())) {
      throw new IllegalArgumentException(
          "the keystore of client certificates does not exist or cannot be read");
    }
    try {
      return KeyStore.getInstance(file, password);
    } catch (IOException | GeneralSecurityException unusable) {
      throw new IllegalArgumentException(
          unusable.getCause() instanceof UnrecoverableKeyException
              ? "the password of the keystore of client certificates is wrong"
              : "the keystore of client certificates is neither PKCS #12 nor JKS");
    }
  }

  /** Of this entry only, so that no other can be chosen. */
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

  /** The names of all, in lower case. */
  public Set<String> names() {
    return byAlias.keySet();
  }

  Optional<KeyManager[]> keyManagers(String name) {
    return Optional.ofNullable(byAlias.get(name));
  }

  /** The names only. */
  @Override
  public String toString() {
    return "ClientCertificates" + byAlias.keySet();
  }
}
